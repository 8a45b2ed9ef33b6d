import { type ErrorCode, type OperationId, type OperationSpec, operations } from '@vehicle-data/openapi';
import { validateRequest } from '@vehicle-data/validators';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { Clock } from './clock.js';
import { Consents } from './consents.js';
import { createControl } from './control/control.js';
import { dirtyReply, Faults } from './faults.js';
import { History } from './fleet/history.js';
import { createFleet, demoOwner, type FleetVehicle } from './fleet/vehicles.js';
import { responses } from './generated/responses.js';
import { type Call, handlers, type Outcome } from './operations.js';
import { recordCall } from './recording.js';
import { type CallFacts, failure, type Reply, success, toResponse } from './reply.js';
import { dirtyKindOf, reservedError, withDirtyVehicles } from './reserved-vins.js';
import { sampleData } from './sample-data.js';
import type { Sandbox, SandboxOptions, SandboxVehicle } from './sandbox-options.js';
import { readState, writeState } from './state.js';
import { bearerOf, Tokens } from './tokens.js';

const brandsOfContract: readonly string[] =
  operations.listVehicles.parameters.find(({ schema }) => schema === 'Brand')?.rule.enum ?? [];

const anHourMs = 3_600_000;

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
  const { seed = 1, brands = brandsOfContract, state: store, onError = logError, onCall } = options;
  const clock = new Clock();
  const faults = new Faults();
  const fleet = withDirtyVehicles(createFleet(seed, brands, options.vehicles), seed);
  const history = new History(seed, options.sensorNoise ?? true);
  const consents = new Consents(fleet);
  const tokens = new Tokens({ accessMs: anHourMs, refreshMs: 90 * 24 * anHourMs, ...options.tokenLifetimes });
  if (store) readState(store, consents, tokens);
  let saved = Promise.resolve();
  const save = () => {
    // One after the other, so that an older state never replaces a newer one.
    if (store) saved = saved.catch(() => undefined).then(() => writeState(store, consents, tokens));
    return saved;
  };
  const setUp = () => {
    clock.reset();
    if (options.frozen) clock.freeze();
    if (options.now) clock.set(options.now);
    faults.clear();
    faults.add(...(options.faults ?? []));
  };
  setUp();
  const reset = async () => {
    setUp();
    consents.reset();
    tokens.reset();
    await save();
  };

  /** The vehicle that a call names if its owner shares it, or the error that says why not. */
  function sharedVehicle(vin: string, owner: string, brandPosition: number): FleetVehicle | ErrorCode {
    const vehicle = fleet.find(vin);
    // A vehicle of another owner or brand, or none, looks like one that was never registered.
    if (vehicle === undefined || vehicle.owner !== owner || vehicle.brandPosition !== brandPosition) return '4101';
    const consent = consents.of(vin);
    if (consent === 'shared') return vehicle;
    return consent === 'withdrawn' ? '5006' : '4101';
  }

  async function respond(
    c: ServiceContext,
    operation: OperationSpec,
    id: OperationId,
    facts: CallFacts,
  ): Promise<Reply> {
    const authorization = c.req.header('authorization');
    if (authorization === undefined && operation.bearer === 'required') return failure(facts, '40002');
    const owner = authorization === undefined ? demoOwner : tokens.ownerOf(bearerOf(authorization) ?? '', facts.nowMs);
    if (owner === undefined) return failure(facts, '4011');
    const { headers } = c.req.raw;
    const checked = validateRequest(id, { path: c.req.param(), query: rawQuery(c), headers }, { brands });
    if (!checked.ok) {
      const details = checked.issues.map((issue) => ({ in: issue.in, name: issue.name, reason: issue.message }));
      return failure(facts, '4002', details);
    }
    const brandPosition = brands.indexOf(headers.get('brand') ?? '');
    const vin = vinOf(c);
    if (vin !== undefined) {
      const error = reservedError(vin, id);
      if (error) return failure(facts, error);
    }
    const vehicle = vin === undefined ? undefined : sharedVehicle(vin, owner, brandPosition);
    if (typeof vehicle === 'string') return failure(facts, vehicle);
    const call = { facts, request: checked.value, owner, brandPosition, vehicle, history, consents, save };
    const outcome = await play(id, call, seed);
    if (typeof outcome === 'string') return failure(facts, outcome);
    const reply = success(facts, outcome, responses[id]?.success);
    const dirty = dirtyKindOf(vin ?? '');
    return dirty ? dirtyReply(reply, dirty, id, facts) : reply;
  }

  /** Responds to a call with whatever faults meet it. */
  async function serve(c: ServiceContext, operation?: OperationSpec, id?: OperationId): Promise<Response> {
    const { facts } = c.env;
    const reply = async () => (operation && id ? respond(c, operation, id, facts) : failure(facts, '404'));
    if (faults.none) return toResponse(await reply());
    return faults.play({ request: c.req.raw, operationId: id, vin: vinOf(c), facts, tokens, reply });
  }

  const app = new Hono<ServiceEnv>();
  const known: readonly OperationId[] = Object.values(operations).map(({ operationId }) => operationId);
  for (const id of known) {
    const operation: OperationSpec = operations[id];
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.use(path, pagesOfAnyOrigin);
    app.on(operation.method, path, (c) => serve(c, operation, id));
  }
  const vehicleOf = ({ vin, brandPosition, type, owner, zone, habit }: FleetVehicle): SandboxVehicle => {
    return { vin, brand: brands[brandPosition] ?? '', type, owner, consent: consents.of(vin), homeZone: zone, habit };
  };
  const controlled = { seed, brands, fleet, vehicleOf, clock, faults, consents, tokens, save, reset };
  app.route('/sandbox', createControl(controlled));
  app.notFound((c) => serve(c));
  app.onError((error, c) => {
    onError(error);
    return toResponse(failure(c.env.facts, '5001'));
  });

  return {
    async fetch(input, init) {
      const request = input instanceof Request && init === undefined ? input : new Request(input, init);
      const facts = factsOf(request, clock);
      const run = async () => app.fetch(request, { facts });
      return onCall ? recordCall(request, facts, tokens, run, onCall, onError) : run();
    },
    clock,
    faults: {
      list: () => faults.list(),
      add: (...added) => faults.add(...added),
      clear: () => faults.clear(),
    },
    consents: {
      of: (vin) => consents.of(vin),
      async set(vin, consent) {
        // The message does not repeat the VIN, which may be that of a real vehicle.
        if (!consents.set(vin, consent)) throw new RangeError('no vehicle of the fleet has this VIN');
        await save();
      },
    },
    vehicle(vin) {
      const vehicle = fleet.find(vin);
      return vehicle && vehicleOf(vehicle);
    },
    accessTokenOf: (owner) => tokens.accessTokenOf(owner, clock.now()),
    reset,
  };
}

/** What every handler of a call knows: its identifier and time. */
interface ServiceEnv {
  readonly Bindings: { readonly facts: CallFacts };
}

type ServiceContext = Context<ServiceEnv>;

/** Web pages of every origin may call the service. The controls are not open to them. */
const pagesOfAnyOrigin = cors({
  origin: '*',
  allowMethods: [...new Set(Object.values(operations).map(({ method }) => method))],
  allowHeaders: ['Authorization', 'Brand', 'Content-Type', 'X-Request-Id'],
  exposeHeaders: ['X-Request-Id', 'Retry-After'],
  maxAge: 600,
});

function play<Id extends OperationId>(id: Id, call: Call<Id>, seed: number): Outcome | Promise<Outcome> {
  const handler: ((call: Call<Id>) => Outcome | Promise<Outcome>) | undefined = handlers[id];
  return handler ? handler(call) : sampleData(id, seed, call);
}

const rawQuery = (c: Context): string => new URL(c.req.url).search;

/** The VIN that a call names in its path or its query. */
const vinOf = (c: Context): string | undefined => c.req.param('vin') ?? c.req.query('vin');

/** The client's own request identifier if it is 1 to 128 visible ASCII characters, or a new one. */
function factsOf(request: Request, clock: Clock): CallFacts {
  const given = request.headers.get('x-request-id') ?? '';
  return { requestId: /^[!-~]{1,128}$/.test(given) ? given : crypto.randomUUID(), nowMs: clock.now() };
}

function logError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: an unexpected error needs its stack, and there may be nobody else to receive it.
  console.error(error);
}
