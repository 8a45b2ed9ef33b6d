import { operations, type ParameterRule, type Vehicle } from '@vehicle-data/openapi';
import { Random } from './random.js';
import { type Home, type Town, type TownName, townInZone, townNames, townOf } from './towns.js';

/** How a vehicle is used: it decides which trips a day has. */
export type Habit = 'commuter' | 'traveller' | 'family' | 'occasional';

/** What the owner of a vehicle has decided: it shares its data, no longer does, or never did. */
export type Consent = 'shared' | 'withdrawn' | 'never';

/** A vehicle of your own. Everything but the VIN may be left out and is then drawn from the seed. */
export interface VehicleOptions {
  /** 17 letters and digits. */
  readonly vin: string;
  /** One of the brands of the sandbox; the first one by default. */
  readonly brand?: string | undefined;
  readonly type?: Vehicle['type'];
  /** IANA time zone that decides when the days of the vehicle begin. By default that of `home`, as far as its longitude tells. */
  readonly zone?: string | undefined;
  /** Around here the vehicle drives. By default a town in its zone. */
  readonly home?: Home | undefined;
  readonly habit?: Habit | undefined;
  /** Identifier of the owner; `demo` by default. */
  readonly owner?: string | undefined;
  /** Consent at the start; `shared` by default. */
  readonly consent?: Consent | undefined;
  readonly nickname?: string | undefined;
  readonly name?: string | undefined;
  readonly sellname?: string | undefined;
}

/** A vehicle of the fleet. */
export interface FleetVehicle extends Town {
  readonly vin: string;
  /** Position of its brand in the list of brands. */
  readonly brandPosition: number;
  readonly type: VehicleType;
  readonly nickname: string;
  readonly name: string;
  readonly sellname: string;
  readonly owner: string;
  /** Consent when the sandbox starts. */
  readonly initialConsent: Consent;
  readonly habit: Habit;
}

export type VehicleType = NonNullable<Vehicle['type']>;

/** The owner whose vehicles a list call without an access token shows. */
export const demoOwner = 'demo';

type Row = readonly [string, VehicleType, Habit, TownName, string, string, string, string, Consent?];

/** The vehicles that are always there. The letter in the eighth place of a VIN is the position of the brand. */
const rows: readonly Row[] = [
  ['A000000001', 'EV', 'commuter', 'berlin', 'demo', 'Grocery getter', 'NE1', 'Model 5'],
  ['A000000002', 'GN', 'traveller', 'berlin', 'demo', 'Long hauler', 'CN7', 'Model 3'],
  ['A000000003', 'HV', 'family', 'london', 'demo', 'School bus', 'HX4', 'Model 4 Hybrid'],
  ['A000000004', 'PE', 'commuter', 'berlin', 'car-pool', 'Pool 1', 'PX2', 'Model 2 Plug-in'],
  ['A000000005', 'GN', 'occasional', 'london', 'demo', 'Sunday best', 'CN7', 'Model 3', 'never'],
  ['A000000006', 'GN', 'family', 'berlin', 'demo', 'Moving on', 'CN7', 'Model 3'],
  ['B000000001', 'PE', 'commuter', 'newYork', 'demo', 'Both worlds', 'PK3', 'Series 3 Plug-in'],
  ['B000000002', 'EV', 'traveller', 'losAngeles', 'car-pool', 'Pool 2', 'EK6', 'Series 6'],
  ['B000000003', 'FV', 'family', 'seoul', 'demo', 'Water maker', 'FK1', 'Series 1 Fuel Cell'],
  ['B000000004', 'GN', 'family', 'newYork', 'car-pool', 'Pool 3', 'GK2', 'Series 2'],
  ['B000000005', 'HV', 'occasional', 'losAngeles', 'demo', 'Beach car', 'HK4', 'Series 4 Hybrid', 'withdrawn'],
  ['C000000001', 'EV', 'family', 'sydney', 'demo', 'Quiet one', 'EG8', 'Line 8'],
  ['C000000002', 'UNKNOWN', 'occasional', 'bengaluru', 'demo', 'Old friend', 'GG1', 'Line 1'],
  ['C000000003', 'FV', 'commuter', 'seoul', 'car-pool', 'Pool 4', 'FG2', 'Line 2 Fuel Cell'],
  ['C000000004', 'HV', 'commuter', 'sydney', 'car-pool', 'Pool 5', 'HG3', 'Line 3 Hybrid'],
];

export const vinPrefix = 'SANDB0X';
const brandLetter = (position: number) => String.fromCharCode(65 + position);
const brandPositionOf = (vin: string) => vin.charCodeAt(vinPrefix.length) - 65;

function builtIn([vin, type, habit, town, owner, nickname, name, sellname, consent = 'shared']: Row): FleetVehicle {
  const brandPosition = vin.charCodeAt(0) - 65;
  const own = { vin: vinPrefix + vin, brandPosition, type, habit, nickname, name, sellname, owner };
  return { ...own, ...townOf(town), initialConsent: consent };
}

const builtIns: readonly FleetVehicle[] = rows.map(builtIn);

const habits: readonly Habit[] = ['commuter', 'commuter', 'commuter', 'family', 'family', 'occasional', 'traveller'];
const types: readonly VehicleType[] = ['GN', 'GN', 'GN', 'EV', 'EV', 'HV', 'HV', 'PE', 'FV', 'UNKNOWN'];

/** What the options of a vehicle leave open is drawn from the seed and the VIN. */
function complete(seed: number, options: VehicleOptions & { readonly brandPosition: number }): FleetVehicle {
  const { vin, brandPosition, zone, home, owner = demoOwner, consent = 'shared' } = options;
  const random = new Random(seed, vin, 'vehicle');
  const drawn = { type: random.pick(types), habit: random.pick(habits), town: townOf(random.pick(townNames)) };
  const { type = drawn.type, habit = drawn.habit } = options;
  const model = random.whole(1, 9);
  const kind = type === 'UNKNOWN' ? 'GN' : type;
  const { nickname = `Car ${vin.slice(-4)}`, name = `${kind[0]}M${model}`, sellname = `Model ${model}` } = options;
  const base = (zone === undefined ? undefined : townInZone(zone)) ?? drawn.town;
  const hours = Math.round((home?.longitude ?? 0) / 15);
  return {
    vin,
    brandPosition,
    type,
    nickname,
    name,
    sellname,
    owner,
    initialConsent: consent,
    habit,
    speedUnit: home === undefined || zone === base.zone ? base.speedUnit : 'kph',
    town: home === undefined ? base.town : { ...home, altitude: home.altitude ?? 40 },
    // The sign of these zones is that of POSIX: east is negative.
    zone: zone ?? (home === undefined ? base.zone : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`),
  };
}

/** A hybrid of the demo owner with a VIN of the sandbox, which has every group of signals. */
export function unlistedVehicle(seed: number, vin: string): FleetVehicle {
  const brandPosition = brandPositionOf(vin);
  return complete(seed, { vin, brandPosition, type: 'HV', habit: 'commuter', zone: 'Europe/Berlin' });
}

/** A number of vehicles, or a list of your own. */
export type FleetOptions = number | readonly VehicleOptions[] | undefined;

/** Every vehicle of a sandbox. A vehicle is made when it is asked for, so a large fleet takes no memory. */
export interface Fleet extends Iterable<FleetVehicle> {
  readonly size: number;
  readonly find: (vin: string) => FleetVehicle | undefined;
}

/** @throws RangeError if the options are none. */
export function createFleet(seed: number, brands: readonly string[], options: FleetOptions): Fleet {
  if (typeof options === 'object') return listedFleet(seed, brands, options);
  const size = options ?? builtIns.length;
  if (!Number.isInteger(size) || size < 0 || size > 1_000_000) {
    throw new RangeError('vehicles must be a whole number from 0 to 1000000, or a list');
  }
  const named = new Map(builtIns.slice(0, size).map((vehicle) => [vehicle.vin, vehicle]));
  // Further vehicles are counted on from the ones that are always there, and take the brands in turn.
  const numbered = (position: number) => {
    const brandPosition = position % brands.length;
    const vin = `${vinPrefix}${brandLetter(brandPosition)}${String(position + 1).padStart(9, '0')}`;
    return complete(seed, { vin, brandPosition });
  };
  return {
    size,
    find(vin) {
      const position = /^SANDB0X[A-Z][0-9]{9}$/.test(vin) ? Number(vin.slice(-9)) - 1 : -1;
      if (position < builtIns.length || position >= size) return named.get(vin);
      return brandPositionOf(vin) === position % brands.length ? numbered(position) : undefined;
    },
    *[Symbol.iterator]() {
      yield* named.values();
      for (let position = builtIns.length; position < size; position++) yield numbered(position);
    },
  };
}

const vinRule: ParameterRule | undefined = operations.getLocation.parameters.find(({ in: at }) => at === 'path')?.rule;
const vinPattern = new RegExp(vinRule?.pattern ?? '');

function listedFleet(seed: number, brands: readonly string[], options: readonly VehicleOptions[]): Fleet {
  const byVin = new Map<string, VehicleOptions & { readonly brandPosition: number }>();
  for (const [index, vehicle] of options.entries()) {
    const { vin, brand, zone, home } = vehicle;
    // The messages do not repeat the VIN, which may be that of a real vehicle.
    const reject = (reason: string): never => {
      throw new RangeError(`vehicles[${index}] ${reason}`);
    };
    if (!vinPattern.test(vin)) reject('has a vin that is not 17 letters and digits');
    if (byVin.has(vin)) reject('has the vin of an earlier one');
    const brandPosition = brand === undefined ? 0 : brands.indexOf(brand);
    if (brandPosition < 0) reject(`has a brand that is none of ${brands.join(', ')}`);
    if (home && !(Math.abs(home.latitude) <= 90 && Math.abs(home.longitude) <= 180)) reject('has a home off the map');
    if (zone !== undefined && home === undefined && townInZone(zone) === undefined) {
      reject('needs a home, since the sandbox knows no town in its zone');
    }
    byVin.set(vin, { ...vehicle, brandPosition });
  }
  return {
    size: byVin.size,
    find(vin) {
      const own = byVin.get(vin);
      return own && complete(seed, own);
    },
    *[Symbol.iterator]() {
      for (const own of byVin.values()) yield complete(seed, own);
    },
  };
}
