import { operations, type ParameterRule } from '@vehicle-data/openapi';
import * as v from 'valibot';
import { vehicleTypes } from '../generated/responses.js';
import { reasonOf } from '../reason-of.js';
import { Random } from './random.js';

const vinRule: ParameterRule | undefined = operations.getLocation.parameters.find(({ in: at }) => at === 'path')?.rule;

const habit = v.picklist(['commuter', 'traveller', 'family', 'occasional']);
export type Habit = v.InferOutput<typeof habit>;

/** What the owner of a vehicle has decided: it shares its data, no longer does, or never did. */
export const consent = v.picklist(['shared', 'withdrawn', 'never']);
export type Consent = v.InferOutput<typeof consent>;

const vehicleType = v.picklist(vehicleTypes);
export type VehicleType = v.InferOutput<typeof vehicleType>;

const degrees = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most));

const vehicleOptions = v.strictObject({
  /** 17 letters and digits. */
  vin: v.pipe(v.string(), v.regex(new RegExp(vinRule?.pattern ?? ''))),
  /** One of the brands of the sandbox; the first one by default. */
  brand: v.optional(v.string()),
  type: v.optional(vehicleType),
  /** IANA time zone that decides when the days of the vehicle begin. By default that of `home`, as far as its longitude tells. */
  zone: v.optional(v.string()),
  /** Around here the vehicle drives, in degrees and meters above the sea (40 by default). By default a town in its zone. */
  home: v.optional(v.object({ latitude: degrees(90), longitude: degrees(180), altitude: v.optional(v.number()) })),
  habit: v.optional(habit),
  /** Identifier of the owner; `demo` by default. */
  owner: v.optional(v.string()),
  /** Consent at the start; `shared` by default. */
  consent: v.optional(consent),
  nickname: v.optional(v.string()),
  name: v.optional(v.string()),
  sellname: v.optional(v.string()),
});

/** A vehicle of your own. Everything but the VIN may be left out and is then drawn from the seed. */
export type VehicleOptions = Readonly<v.InferInput<typeof vehicleOptions>>;

/** The size of a fleet, or its vehicles. */
export type Vehicles = number | readonly VehicleOptions[];

/** The owner whose vehicles a list call without an access token shows. */
export const demoOwner = 'demo';

export const vinPrefix = 'SANDB0X';

const rows = [
  ['A000000001', 'EV', 'commuter', 'Europe/Berlin', 'demo', 'Grocery getter', 'NE1', 'Model 5'],
  ['A000000002', 'GN', 'traveller', 'Europe/Berlin', 'demo', 'Long hauler', 'CN7', 'Model 3'],
  ['A000000003', 'HV', 'family', 'Europe/London', 'demo', 'School bus', 'HX4', 'Model 4 Hybrid'],
  ['A000000004', 'PE', 'commuter', 'Europe/Berlin', 'car-pool', 'Pool 1', 'PX2', 'Model 2 Plug-in'],
  ['A000000005', 'GN', 'occasional', 'Europe/London', 'demo', 'Sunday best', 'CN7', 'Model 3', 'never'],
  ['A000000006', 'GN', 'family', 'Europe/Berlin', 'demo', 'Moving on', 'CN7', 'Model 3'],
  ['B000000001', 'PE', 'commuter', 'America/New_York', 'demo', 'Both worlds', 'PK3', 'Series 3 Plug-in'],
  ['B000000002', 'EV', 'traveller', 'America/Los_Angeles', 'car-pool', 'Pool 2', 'EK6', 'Series 6'],
  ['B000000003', 'FV', 'family', 'Asia/Seoul', 'demo', 'Water maker', 'FK1', 'Series 1 Fuel Cell'],
  ['B000000004', 'GN', 'family', 'America/New_York', 'car-pool', 'Pool 3', 'GK2', 'Series 2'],
  ['B000000005', 'HV', 'occasional', 'America/Los_Angeles', 'demo', 'Beach car', 'HK4', 'Series 4 Hybrid', 'withdrawn'],
  ['C000000001', 'EV', 'family', 'Australia/Sydney', 'demo', 'Quiet one', 'EG8', 'Line 8'],
  ['C000000002', 'UNKNOWN', 'occasional', 'Asia/Kolkata', 'demo', 'Old friend', 'GG1', 'Line 1'],
  ['C000000003', 'FV', 'commuter', 'Asia/Seoul', 'car-pool', 'Pool 4', 'FG2', 'Line 2 Fuel Cell'],
  ['C000000004', 'HV', 'commuter', 'Australia/Sydney', 'car-pool', 'Pool 5', 'HG3', 'Line 3 Hybrid'],
] as const;

type OwnVehicle = VehicleOptions & { readonly brand: string };

/** The vehicles that are always there. The letter in the eighth place of a VIN is the position of the brand. */
function namedVehicles(brands: readonly string[]): readonly OwnVehicle[] {
  return rows.map(([digits, type, habit, zone, owner, nickname, name, sellname, consent]) => {
    const brand = brands[digits.charCodeAt(0) - 65] ?? '';
    return { vin: vinPrefix + digits, brand, type, habit, zone, owner, nickname, name, sellname, consent };
  });
}

const towns = [
  { zone: 'Europe/Berlin', latitude: 52.5163, longitude: 13.3777, altitude: 36, speedUnit: 'kph' },
  { zone: 'Europe/London', latitude: 51.5072, longitude: -0.1276, altitude: 20, speedUnit: 'mph' },
  { zone: 'America/New_York', latitude: 41.05, longitude: -73.85, altitude: 45, speedUnit: 'mph' },
  { zone: 'America/Los_Angeles', latitude: 34.08, longitude: -118, altitude: 90, speedUnit: 'mph' },
  { zone: 'Asia/Seoul', latitude: 37.35, longitude: 127.1, altitude: 60, speedUnit: 'kph' },
  { zone: 'Asia/Kolkata', latitude: 12.98, longitude: 77.55, altitude: 910, speedUnit: 'kph' },
  { zone: 'Australia/Sydney', latitude: -33.75, longitude: 150.9, altitude: 30, speedUnit: 'kph' },
] as const;

const habits: readonly Habit[] = ['commuter', 'commuter', 'commuter', 'family', 'family', 'occasional', 'traveller'];
const types: readonly VehicleType[] = ['GN', 'GN', 'GN', 'EV', 'EV', 'HV', 'HV', 'PE', 'FV', 'UNKNOWN'];

export type FleetVehicle = ReturnType<typeof complete>;

/** What the options of a vehicle leave open is drawn from the seed and the VIN. */
export function complete(seed: number, options: OwnVehicle) {
  const { vin, brand, owner = demoOwner, consent: initialConsent = 'shared' } = options;
  const { nickname = `Car ${vin.slice(-4)}` } = options;
  const random = new Random(seed, vin, 'vehicle');
  const drawn = { type: random.pick(types), habit: random.pick(habits), town: random.pick(towns) };
  const { type = drawn.type, habit = drawn.habit } = options;
  const town = towns.find(({ zone }) => zone === options.zone) ?? drawn.town;
  const { latitude, longitude, altitude = 40 } = options.home ?? town;
  const hours = Math.round(longitude / 15);
  // The sign of these zones is that of POSIX: east is negative.
  const zoneAtHome = options.home ? `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}` : town.zone;
  const { zone = zoneAtHome } = options;
  const speedUnit = options.home && zone !== town.zone ? 'kph' : town.speedUnit;
  const model = random.whole(1, 9);
  const { name = `${type === 'UNKNOWN' ? 'G' : type[0]}M${model}`, sellname = `Model ${model}` } = options;
  const home = { latitude, longitude, altitude };
  return { vin, brand, type, nickname, name, sellname, owner, initialConsent, habit, zone, home, speedUnit } as const;
}

/** Every vehicle of a sandbox. A vehicle is made when it is needed, so a large fleet takes no memory. */
export interface Fleet extends Iterable<FleetVehicle> {
  readonly find: (vin: string) => FleetVehicle | undefined;
}

/** Makes a fleet of a number of vehicles, or of a list of your own. @throws RangeError if the options are none. */
export function createFleet(seed: number, brands: readonly string[], options: Vehicles = rows.length): Fleet {
  const size = typeof options === 'object' ? options.length : options;
  if (!Number.isInteger(size) || size < 0 || size > 1_000_000) {
    throw new RangeError('vehicles must be a whole number from 0 to 1000000, or a list');
  }
  const own = typeof options === 'object' ? checked(options, brands) : namedVehicles(brands).slice(0, size);
  const byVin = new Map(own.map((one) => [one.vin, one]));
  if (byVin.size < own.length) throw new RangeError('vehicles has two with the same vin');
  // Further vehicles are counted on from the listed ones, and take the brands in turn.
  const numbered = (position: number) => {
    const brandPosition = position % brands.length;
    const letter = String.fromCharCode(65 + brandPosition);
    const vin = `${vinPrefix}${letter}${String(position + 1).padStart(9, '0')}`;
    return complete(seed, { vin, brand: brands[brandPosition] ?? '' });
  };
  return {
    find(vin) {
      const listed = byVin.get(vin);
      if (listed) return complete(seed, listed);
      const position = Number(vin.slice(-9)) - 1;
      const vehicle = position >= own.length && position < size ? numbered(position) : undefined;
      return vehicle?.vin === vin ? vehicle : undefined;
    },
    *[Symbol.iterator]() {
      for (const listed of own) yield complete(seed, listed);
      for (let position = own.length; position < size; position++) yield numbered(position);
    },
  };
}

/** @throws RangeError if a vehicle is none. The message does not repeat the VIN, which may be that of a real vehicle. */
function checked(vehicles: readonly VehicleOptions[], brands: readonly string[]): readonly OwnVehicle[] {
  const { entries } = vehicleOptions;
  const vehicle = v.pipe(
    v.strictObject({ ...entries, brand: v.optional(v.picklist(brands), brands[0] ?? '') }),
    v.forward(
      v.check(
        ({ zone, home }) => !zone || !!home || towns.some((town) => town.zone === zone),
        'the sandbox knows no town there: give a home',
      ),
      ['zone'],
    ),
  );
  const read = v.safeParse(v.array(vehicle), vehicles);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const [index, ...member] = issue.path?.map(({ key }) => String(key)) ?? [];
  throw new RangeError(`vehicles[${index}] is not valid at ${member.join('.')}: ${reasonOf(issue)}`);
}
