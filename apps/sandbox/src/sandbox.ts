import { type OperationId, operations } from '@vehicle-data/openapi';
import { validateRequest } from '@vehicle-data/validators';
import { type Answer, type CallFacts, failure, successMemberOf, toResponse } from './answer.js';
import { Clock } from './clock.js';
import { type Consent, Consents } from './consents.js';
import { createControl } from './control/control.js';
import { type Fault, Faults } from './faults.js';
import { Fleet } from './fleet/fleet.js';
import { Reports } from './fleet/report.js';
import { demoOwner } from './fleet/vehicles.js';
import { answers } from './generated/answers.js';
import type { Call, Handler } from './operations/call.js';
import { handlers } from './operations/handlers.js';
import { errorOfReservedVin } from './reserved-vins.js';
import { type Match, matchRoute } from './routes.js';
import { readState, type StateStore, writeState } from './state.js';
import { bearerOf, type TokenLifetimes, Tokens } from './tokens.js';

/** How a sandbox is made. Everything may be left out. */
export interface SandboxOptions {
  /** Draws another history of the fleet; 1 unless set. */
  readonly seed?: number | undefined;
  /** Brand identifiers in place of the contract's, by position. */
  readonly brands?: readonly string[] | undefined;
  /** How long tokens live; one hour and 90 days unless set. */
  readonly tokenLifetimes?: Partial<TokenLifetimes> | undefined;
  /** What the clock shows at the start; the machine's time unless set. */
  readonly now?: Date | undefined;
  /** Whether the clock stands still; it runs unless set. */
  readonly frozen?: boolean | undefined;
  /** Faults that are switched on from the start; none unless set. */
  readonly faults?: readonly Fault[] | undefined;
  /** Where consent and tokens are kept; in memory alone unless set. */
  readonly state?: StateStore | undefined;
  /** Bound of the trips kept as text, in bytes; 32 MB unless set. */
  readonly cacheBytes?: number | undefined;
}

/** What owners have decided, by VIN. */
export interface ConsentControl {
  /** The decision for a vehicle; `never` for a VIN that is not of the fleet. */
  readonly of: (vin: string) => Consent;
  /** Changes the decision, and keeps it where a `state` is set. @throws RangeError if no vehicle of the fleet has the VIN. */
  readonly set: (vin: string, consent: Consent) => Promise<void>;
}

/** The faults that are switched on. */
export type FaultControl = Pick<Faults, 'list' | 'add' | 'clear'>;

/** A sandbox: the service as a `fetch`, with controls beside it. */
export interface Sandbox {
  /** Answers a request of the service (`/v1/…`) or of the controls (`/sandbox/…`). */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  readonly faults: FaultControl;
  readonly consents: ConsentControl;
  /** Forgets every change: clock and faults are as the options say, consent and tokens as the fleet starts with. */
  readonly reset: () => Promise<void>;
}

const brandsOfContract: readonly string[] =
  operations.listVehicles.parameters.find(({ schema }) => schema === 'Brand')?.rule.enum ?? [];

const anHourMs = 3_600_000;

/**
 * Makes a sandbox.
 *
 * @throws Error if the kept state cannot be read.
 * @example
 * const sandbox = createSandbox();
 * const answer = await sandbox.fetch(new Request('http://sandbox/v1/vehicles/consent', { headers: { Brand: 'brand_a' } }));
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const seed = options.seed ?? 1;
  const brands = options.brands ?? brandsOfContract;
  const clock = new Clock();
  const faults = new Faults();
  const consents = new Consents();
  const tokens = new Tokens({ accessMs: anHourMs, refreshMs: 90 * 24 * anHourMs, ...options.tokenLifetimes });
  const fleet = new Fleet(seed, options.cacheBytes ?? 32_000_000);
  const reports = new Reports(fleet);
  const { state: store } = options;
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
    if (options.now) clock.set(options.now.getTime());
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
  const control = createControl({ seed, brands, clock, faults, consents, tokens, save, reset });

  async function answerCall(
    request: Request,
    match: Match | undefined,
    query: string,
    facts: CallFacts,
  ): Promise<Answer> {
    if (match === undefined) return failure(facts, '404');
    const { id, operation, path } = match;
    const authorization = request.headers.get('authorization');
    if (authorization === null && operation.bearer === 'required') return failure(facts, '40002');
    const owner = authorization === null ? demoOwner : tokens.ownerOf(bearerOf(authorization) ?? '', facts.nowMs);
    if (owner === undefined) return failure(facts, '4011');
    const checked = validateRequest(id, { path, query, headers: request.headers }, { brands });
    if (!checked.ok) {
      const details = checked.issues.map((issue) => ({ in: issue.in, name: issue.name, reason: issue.message }));
      return failure(facts, '4002', details);
    }
    const vin = vinOf(checked.value);
    const reserved = vin === undefined ? undefined : errorOfReservedVin(vin);
    if (reserved) return failure(facts, reserved);
    try {
      return await play(id, {
        facts,
        request: checked.value,
        owner,
        brandPosition: brands.indexOf(request.headers.get('brand') ?? ''),
        successMember: successMemberOf(answers[id]?.example),
        fleet,
        reports,
        consents,
        save,
      });
    } catch {
      // The change could not be kept, or the runtime does not know the zone that the request names.
      return failure(facts, '5001');
    }
  }

  return {
    async fetch(request) {
      const { url } = request;
      const pathStart = url.indexOf('/', url.indexOf('://') + 3);
      const queryStart = url.indexOf('?', pathStart);
      const path = queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
      if (path === '/sandbox' || path.startsWith('/sandbox/')) return control(request);
      const facts: CallFacts = { requestId: requestIdOf(request), nowMs: clock.now() };
      const query = queryStart < 0 ? '' : url.slice(queryStart);
      const match = matchRoute(request.method, path);
      if (faults.none) return toResponse(await answerCall(request, match, query, facts));
      return faults.play({
        request,
        match,
        query,
        facts,
        tokens,
        answer: () => answerCall(request, match, query, facts),
      });
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
        if (fleet.vehicle(vin) === undefined) throw new RangeError('no vehicle of the fleet has this VIN');
        consents.set(vin, consent);
        await save();
      },
    },
    reset,
  };
}

function play<Id extends OperationId>(id: Id, call: Call<Id>): Answer | Promise<Answer> {
  const handler: Handler<Id> | undefined = handlers[id];
  if (handler) return handler(call);
  const headers = { 'content-type': 'application/json', 'x-request-id': call.facts.requestId };
  return { status: 200, headers, body: JSON.stringify(answers[id]?.example ?? {}) };
}

/** The VIN of a checked request, in its path or its query. */
function vinOf(request: { path?: object; query?: object }): string | undefined {
  const { vin } = { ...request.query, ...request.path } as { vin?: string };
  return vin;
}

/** The caller's own request identifier if it is 1 to 128 visible ASCII characters, or a new one. */
function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && /^[!-~]{1,128}$/.test(given) ? given : crypto.randomUUID();
}
