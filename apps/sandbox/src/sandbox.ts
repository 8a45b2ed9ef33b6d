import { type OperationId, type OperationSpec, operations } from '@vehicle-data/openapi';
import { validateRequest } from '@vehicle-data/validators';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { createControl } from './control/control.js';
import { failure, type ServiceEnv, success } from './envelopes.js';
import { demoOwner } from './fleet/vehicles.js';
import { responses } from './generated/responses.js';
import { handlers, sampleData } from './operations.js';
import type { Sandbox, SandboxOptions } from './options.js';
import { rawQuery } from './raw-query.js';
import { recordCall } from './recording.js';
import { reservedError } from './reserved-vins.js';
import { createWorld, type World } from './world.js';

type ServiceContext = Context<ServiceEnv>;

/**
 * Makes a sandbox.
 *
 * @throws Error if the kept state cannot be read.
 * @throws RangeError if an option is out of its range.
 * @example
 * const sandbox = createSandbox();
 * const response = await sandbox.fetch(new Request('http://sandbox/v1/vehicles/consent', { headers: { Brand: 'brand_a' } }));
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  // biome-ignore lint/suspicious/noConsole: an unexpected error needs its stack, and there may be nobody else to receive it.
  const { onError = console.error, onCall } = options;
  const world = createWorld(options);
  const { clock, consents, faults, fleet, save, tokens } = world;

  const serve = (c: ServiceContext, operationId?: OperationId) => {
    const { facts } = c.env;
    const respond = () => (operationId ? play(world, c, operationId) : failure(facts, '404'));
    return faults.play({ request: c.req.raw, operationId, vin: vinOf(c), facts, tokens, save, respond });
  };

  const app = new Hono<ServiceEnv>();
  for (const { operationId, method, path } of Object.values(operations)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.use(pattern, pagesOfAnyOrigin);
    app.on(method, pattern, (c) => serve(c, operationId));
  }
  app.route('/sandbox', createControl(world));
  app.notFound((c) => serve(c));
  app.onError((error, c) => {
    const { facts } = c.env;
    if (error instanceof HTTPException) {
      const details = [{ in: 'body', name: '', reason: error.message }] as const;
      return failure(facts, '4002', details, error.status);
    }
    onError(error);
    return failure(facts, '5001');
  });

  return {
    async fetch(input, init) {
      const request = input instanceof Request && init === undefined ? input : new Request(input, init);
      const facts = world.factsOf(request);
      const run = async () => app.fetch(request, { facts });
      return onCall ? recordCall(request, facts, tokens, run, onCall, onError) : run();
    },
    clock,
    faults,
    consents,
    vehicle(vin) {
      const vehicle = fleet.find(vin);
      return vehicle && world.shown(vehicle);
    },
    accessTokenOf: (owner) => tokens.issue(owner, clock.now()).accessToken,
    reset: () => world.reset(),
  };
}

/** Web pages of every origin may call the service. The controls are not open to them. */
const pagesOfAnyOrigin = cors({ origin: '*', exposeHeaders: ['X-Request-Id', 'Retry-After'], maxAge: 600 });

const vinOf = (c: Context): string | undefined => c.req.param('vin') ?? c.req.query('vin');

/** The response without faults: credentials, parameters and consent are checked first, for every operation. */
async function play(world: World, c: ServiceContext, id: OperationId): Promise<Response> {
  const { brands, seed, tokens } = world;
  const { facts } = c.env;
  const { headers, url } = c.req.raw;
  const operation: OperationSpec = operations[id];
  const authorization = headers.get('authorization');
  if (authorization === null && operation.bearer === 'required') return failure(facts, '40002');
  const owner = authorization === null ? demoOwner : tokens.ownerOf(authorization, facts.nowMs);
  if (owner === undefined) return failure(facts, '4011');
  const checked = validateRequest(id, { path: c.req.param(), query: rawQuery(url), headers }, { brands });
  if (!checked.ok) {
    const details = checked.issues.map((issue) => ({ in: issue.in, name: issue.name, reason: issue.message }));
    return failure(facts, '4002', details);
  }
  const brand = headers.get('brand') ?? '';
  const vin = vinOf(c);
  const vehicle = vin === undefined ? undefined : (reservedError(vin, id) ?? sharedVehicle(world, vin, owner, brand));
  if (typeof vehicle === 'string') return failure(facts, vehicle);
  const { nowMs } = facts;
  const schema = responses[id]?.data ?? { kind: 'object' };
  const handler = handlers[id] ?? (() => sampleData(schema, nowMs, seed, vin ?? '', id));
  const outcome = await handler({ world, nowMs, query: checked.value.query, owner, brand, vehicle });
  return typeof outcome === 'string' ? failure(facts, outcome) : success(facts, outcome, responses[id]?.success);
}

/** The vehicle that a call names if its owner shares it, or the error that says why not. */
function sharedVehicle({ fleet, consents }: World, vin: string, owner: string, brand: string) {
  const vehicle = fleet.find(vin);
  // A vehicle of another owner or brand, or none, looks like one that was never registered.
  const consent = vehicle?.owner === owner && vehicle.brand === brand ? consents.of(vin) : 'never';
  return vehicle && consent === 'shared' ? vehicle : consent === 'withdrawn' ? '5006' : '4101';
}
