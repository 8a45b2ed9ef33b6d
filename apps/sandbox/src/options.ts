import type { Clock } from './clock.js';
import type { Fault, Faults } from './faults.js';
import type { Consent, Vehicles } from './fleet/vehicles.js';
import type { TokenLifetimes } from './tokens.js';

/** A place that keeps one text: the state of a sandbox. */
export interface StateStore {
  /** The text that was kept last, or null if there is none yet. Called once, at the start. */
  readonly load: () => string | null;
  /** Keeps a text in place of the one before. A call that changes the state gets its response only after this has finished. */
  readonly save: (text: string) => void | Promise<void>;
}

/** Where the page of an owner has from what it shows. By default the sandbox itself. */
export interface OwnerSources {
  /** Who has read the data of a vehicle, as `vds-proxy audit who --json` prints it. By default what this sandbox has seen. */
  readonly who?: ((vin: string) => Promise<string>) | undefined;
  /** Texts of the receipts of a vehicle, which has the name that `who` gives it. By default there are none. */
  readonly receipts?: ((brand: string, vehicle: string) => Promise<readonly string[]>) | undefined;
  /** Base address of the proxy that a withdrawal goes through. By default the sandbox changes the consent itself. */
  readonly proxyUrl?: string | undefined;
}

/** How a sandbox is made. Everything may be left out. */
export interface SandboxOptions {
  /** Draws another history of the fleet; 1 by default. */
  readonly seed?: number | undefined;
  /** How many vehicles there are, 0 to 1,000,000, or a list of your own. By default the 15 that the README lists. */
  readonly vehicles?: Vehicles | undefined;
  /** Whether accelerations, yaw rates, steering angles, engine speeds and voltages carry sensor noise; true by default. */
  readonly sensorNoise?: boolean | undefined;
  /** Brand identifiers in place of the contract's, by position. */
  readonly brands?: readonly string[] | undefined;
  /** How long tokens live; one hour and 90 days by default. */
  readonly tokenLifetimes?: Partial<TokenLifetimes> | undefined;
  /** What the clock shows at the start; the machine's time by default. */
  readonly now?: Date | undefined;
  /** Whether the clock stands still; it runs by default. */
  readonly frozen?: boolean | undefined;
  /** Faults that are switched on from the start; none by default. */
  readonly faults?: readonly Fault[] | undefined;
  /** Where consent and tokens are kept; in memory alone by default. */
  readonly state?: StateStore | undefined;
  /** Where the page of an owner at `/owner` has from what it shows. */
  readonly owner?: OwnerSources | undefined;
  /** Receives each unexpected error, which the client sees as `5001`. By default it is logged with its stack. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A vehicle of the fleet, and the time zone in which its days begin. */
export type SandboxVehicle = Readonly<
  Record<'vin' | 'brand' | 'type' | 'owner' | 'homeZone' | 'habit', string> & { consent: Consent }
>;

/** What owners have decided, by VIN. */
export interface Consents {
  /** The decision for a vehicle; `never` for a VIN that is not of the fleet. */
  of(vin: string): Consent;
  /** Changes the decision, and keeps it where a `state` is set. @throws RangeError if no vehicle of the fleet has the VIN. */
  set(vin: string, consent: Consent): Promise<void>;
}

/** A sandbox: the service as a `fetch`, with controls beside it. */
export interface Sandbox {
  /** Responds to a request of the service (`/v1/…`) or of the controls (`/sandbox/…`). */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  /** The faults that are switched on. */
  readonly faults: Pick<Faults, 'list' | 'add' | 'clear'>;
  readonly consents: Consents;
  /** A vehicle of the fleet, or nothing if none has the VIN. */
  readonly vehicle: (vin: string) => SandboxVehicle | undefined;
  /** Issues an access token of an owner, as the token endpoint does. A `state` keeps it with the next change. */
  readonly accessTokenOf: (owner: string) => string;
  /** Forgets every change: clock and faults are as the options say, consent and tokens as the fleet starts with. */
  readonly reset: () => Promise<void>;
}
