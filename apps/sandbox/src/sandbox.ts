import { type OperationId, type OperationSpec, operations, requestIdPattern } from '@vehicle-data/openapi';
import { validateRequest } from '@vehicle-data/validators';
import { Hono, type Next } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { fail, failure, rawQuery, type ServiceContext, type ServiceEnv, success, vinOf } from './call.js';
import { createControl } from './control/control.js';
import { demoOwner } from './fleet/vehicles.js';
import { responses } from './generated/responses.js';
import { handlers, sampleData } from './operations.js';
import type { Sandbox, SandboxOptions } from './options.js';
import { createOwnerRoutes } from './owner/owner-routes.js';
import { Reads } from './owner/reads.js';
import { playFaults } from './play-faults.js';
import { reservedError } from './reserved-vins.js';
import { createWorld, type World } from './world.js';

const keptRequestId = new RegExp(requestIdPattern);

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
  const { onError = console.error } = options;
  const world = createWorld(options);
  const { clock, consents, faults, fleet, tokens } = world;
  const reads = new Reads();
  const app = new Hono<ServiceEnv>();
  app.use(async (c, next) => {
    const given = c.req.header('x-request-id') ?? '';
    // The case stays as it is, but V8 keeps the text in one piece: JSON.stringify takes its slow path at a text that is in several.
    const requestId = keptRequestId.test(given) ? given : crypto.randomUUID().toLowerCase();
    const nowMs = clock.now();
    c.set('nowMs', nowMs);
    c.set('facts', { timestamp: new Date(nowMs).toISOString(), requestId });
    c.res.headers.set('x-request-id', requestId);
    await next();
  });
  for (const { operationId, method, path } of Object.values(operations)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.use(pattern, pagesOfAnyOrigin);
    if (method === 'GET' && path.includes('{vin}')) app.get(pattern, noteRead(reads, operationId));
    const faulty = (c: ServiceContext, next: Next) => playFaults(c, next, world, operationId);
    app.on(method, pattern, faulty, (c) => respond(c, world, operationId));
  }
  app.route('/sandbox', createControl(world));
  app.route('/owner', createOwnerRoutes(world, reads, options.owner ?? {}));
  // Here and not in a middleware for all paths: a call of an operation's path by another method still has its VIN.
  app.notFound(async (c) => {
    const notFound = async () => {
      c.res = failure(c, '404');
    };
    await playFaults(c, notFound, world);
    return c.res;
  });
  app.onError((error, c) => {
    if (error instanceof HTTPException && error.res) return error.res;
    onError(error);
    return failure(c, '5001');
  });

  return {
    fetch: async (input, init) =>
      app.fetch(input instanceof Request && init === undefined ? input : new Request(input, init)),
    clock,
    faults,
    consents,
    vehicle(vin) {
      const vehicle = fleet.find(vin);
      return vehicle && world.shown(vehicle);
    },
    accessTokenOf: (owner) => tokens.issue(owner, clock.now()).accessToken,
    async reset() {
      reads.clear();
      await world.reset();
    },
  };
}

/** Keeps who has read the data of a vehicle, for the page of its owner. */
function noteRead(reads: Reads, operation: OperationId) {
  return async (c: ServiceContext, next: Next): Promise<void> => {
    await next();
    const { startDate = '', endDate = '' } = c.req.query();
    const days =
      /^\d{8}$/.test(startDate) && /^\d{8}$/.test(endDate) ? { from: startDate, to: endDate } : { from: '', to: '' };
    reads.add({
      vin: vinOf(c)?.toUpperCase() ?? '',
      client: (c.req.header('user-agent') ?? '').slice(0, 80),
      operation,
      isGood: c.res.status === 200,
      time: c.get('facts').timestamp,
      ...days,
    });
  };
}

/** Web pages of every origin may call the service. The controls are not open to them. */
const pagesOfAnyOrigin = cors({ origin: '*', exposeHeaders: ['X-Request-Id', 'Retry-After'], maxAge: 600 });

/** The response without faults: credentials, parameters and consent are checked first, for every operation. */
async function respond(c: ServiceContext, world: World, id: OperationId): Promise<Response> {
  const { brands, seed, tokens } = world;
  const { headers, url } = c.req.raw;
  const nowMs = c.get('nowMs');
  const operation: OperationSpec = operations[id];
  const authorization = headers.get('authorization');
  if (authorization === null && operation.bearer === 'required') return failure(c, '40002');
  const owner = authorization === null ? demoOwner : tokens.ownerOf(authorization, nowMs);
  if (owner === undefined) return failure(c, '4011');
  const checked = validateRequest(id, { path: c.req.param(), query: rawQuery(url), headers }, { brands });
  if (!checked.ok) {
    const details = checked.issues.map((issue) => ({ in: issue.in, name: issue.name, reason: issue.message }));
    return failure(c, '4002', details);
  }
  const brand = headers.get('brand') ?? '';
  const vin = vinOf(c);
  const reserved = vin && reservedError(vin, id);
  if (reserved) return failure(c, reserved);
  const vehicle = vin === undefined ? undefined : sharedVehicle(c, world, vin, owner, brand);
  const schema = responses[id]?.data ?? { kind: 'object' };
  const handler = handlers[id] ?? (() => sampleData(schema, nowMs, seed, vin ?? '', id));
  const data = await handler({ c, world, query: checked.value.query, owner, brand, vehicle });
  return success(c, data, responses[id]?.success);
}

/** The vehicle that a call names, or the error that says why its owner does not share it. */
function sharedVehicle(c: ServiceContext, { fleet, consents }: World, vin: string, owner: string, brand: string) {
  const vehicle = fleet.find(vin);
  // A vehicle of another owner or brand, or none, looks like one that was never registered.
  const consent = vehicle?.owner === owner && vehicle.brand === brand ? consents.of(vin) : 'never';
  return vehicle && consent === 'shared' ? vehicle : fail(c, consent === 'withdrawn' ? '5006' : '4101');
}
