import { operations } from '@vehicle-data/openapi';
import { Clock } from './clock.js';
import { Consents } from './consents.js';
import { Faults } from './faults.js';
import { History } from './fleet/history.js';
import { createFleet, type Fleet, type FleetVehicle } from './fleet/vehicles.js';
import type { SandboxOptions, SandboxVehicle } from './options.js';
import type { CallFacts } from './reply.js';
import { dirtyVehicle } from './reserved-vins.js';
import { restoreState, stateText } from './state.js';
import { Tokens } from './tokens.js';

const brandsOfContract: readonly string[] =
  operations.listVehicles.parameters.find(({ schema }) => schema === 'Brand')?.rule.enum ?? [];

const anHourMs = 3_600_000;

/** Everything that a sandbox knows: its fleet with what it did, and what can be changed. The service and the controls work on it. */
export class World {
  readonly seed: number;
  readonly brands: readonly string[];
  readonly fleet: Fleet;
  readonly history: History;
  readonly consents: Consents;
  readonly tokens: Tokens;
  readonly clock = new Clock();
  readonly faults = new Faults();
  readonly #options: SandboxOptions;
  #saved = Promise.resolve();

  constructor(options: SandboxOptions) {
    const { seed = 1, brands = brandsOfContract, vehicles, sensorNoise = true, tokenLifetimes, state } = options;
    this.#options = options;
    this.seed = seed;
    this.brands = brands;
    const fleet = createFleet(seed, brands, vehicles);
    this.fleet = { ...fleet, find: (vin) => dirtyVehicle(vin, seed, brands) ?? fleet.find(vin) };
    this.history = new History(seed, sensorNoise);
    this.consents = new Consents(this.fleet, () => this.save());
    this.tokens = new Tokens({ accessMs: anHourMs, refreshMs: 90 * 24 * anHourMs, ...tokenLifetimes });
    const kept = state?.load();
    if (typeof kept === 'string') restoreState(kept, this.consents, this.tokens);
    this.#setUp();
  }

  /** Keeps consent and tokens as they are now; to be awaited before the response to a change. */
  save(): Promise<void> {
    const { state } = this.#options;
    // One after the other, so that an older state never replaces a newer one.
    const write = async () => state?.save(stateText(this.consents, this.tokens));
    this.#saved = this.#saved.catch(() => undefined).then(write);
    return this.#saved;
  }

  /** Forgets every change: clock and faults are as the options say, consent and tokens as the fleet starts with. */
  async reset(): Promise<void> {
    this.#setUp();
    this.consents.restore();
    this.tokens.restore();
    await this.save();
  }

  #setUp(): void {
    const { now, frozen, faults = [] } = this.#options;
    this.clock.reset();
    if (frozen) this.clock.freeze();
    if (now) this.clock.set(now);
    this.faults.clear();
    this.faults.add(...faults);
  }

  /** A vehicle as an application may know it. */
  shown({ vin, brand, type, owner, zone: homeZone, habit }: FleetVehicle): SandboxVehicle {
    return { vin, brand, type, owner, consent: this.consents.of(vin), homeZone, habit };
  }

  /** The client's own request identifier if it is 1 to 128 visible ASCII characters, or a new one; and the time. */
  factsOf({ headers }: Request): CallFacts {
    const given = headers.get('x-request-id') ?? '';
    return { requestId: /^[!-~]{1,128}$/.test(given) ? given : crypto.randomUUID(), nowMs: this.clock.now() };
  }
}
