import type { Vehicle } from '@vehicle-data/openapi';
import type { HomeZone } from './home-zones.js';

/** How a vehicle is used: it decides which trips a day has. */
export type Habit = 'commuter' | 'traveller' | 'family' | 'occasional';

/** A member of the fleet, as far as it is written down and not drawn from the seed. */
export interface FleetVehicle {
  readonly vin: string;
  /** Position of its brand in the contract's list of brands, from 0. */
  readonly brandPosition: 0 | 1 | 2;
  readonly type: NonNullable<Vehicle['type']>;
  readonly nickname: string;
  readonly name: string;
  readonly sellname: string;
  /** Identifier of its owner. */
  readonly owner: string;
  /** What its owner had decided when the sandbox starts. */
  readonly initialConsent: 'shared' | 'withdrawn' | 'never';
  readonly habit: Habit;
  readonly zone: HomeZone;
  /** Around here it is at home; the exact place is drawn from the seed. */
  readonly town: { readonly latitude: number; readonly longitude: number; readonly altitude: number };
  /** Mean temperature of the year and half the difference of summer and winter, in °C. */
  readonly climate: { readonly mean: number; readonly swing: number; readonly warmestDayOfYear: number };
  readonly speedUnit: 'kph' | 'mph';
}

/** The owner whose vehicles a list call without an access token shows. */
export const demoOwner = 'demo';

const berlin = {
  zone: 'Europe/Berlin',
  town: { latitude: 52.5163, longitude: 13.3777, altitude: 36 },
  climate: { mean: 10, swing: 10, warmestDayOfYear: 200 },
  speedUnit: 'kph',
} as const;
const london = {
  zone: 'Europe/London',
  town: { latitude: 51.5072, longitude: -0.1276, altitude: 20 },
  climate: { mean: 11, swing: 7, warmestDayOfYear: 205 },
  speedUnit: 'mph',
} as const;
const newYork = {
  zone: 'America/New_York',
  town: { latitude: 41.05, longitude: -73.85, altitude: 45 },
  climate: { mean: 12, swing: 13, warmestDayOfYear: 203 },
  speedUnit: 'mph',
} as const;
const losAngeles = {
  zone: 'America/Los_Angeles',
  town: { latitude: 34.08, longitude: -118.0, altitude: 90 },
  climate: { mean: 18, swing: 5, warmestDayOfYear: 230 },
  speedUnit: 'mph',
} as const;
const seoul = {
  zone: 'Asia/Seoul',
  town: { latitude: 37.35, longitude: 127.1, altitude: 60 },
  climate: { mean: 12, swing: 14, warmestDayOfYear: 214 },
  speedUnit: 'kph',
} as const;
const bengaluru = {
  zone: 'Asia/Kolkata',
  town: { latitude: 12.98, longitude: 77.55, altitude: 910 },
  climate: { mean: 24, swing: 3, warmestDayOfYear: 110 },
  speedUnit: 'kph',
} as const;
const sydney = {
  zone: 'Australia/Sydney',
  town: { latitude: -33.75, longitude: 150.9, altitude: 30 },
  climate: { mean: 18, swing: 6, warmestDayOfYear: 20 },
  speedUnit: 'kph',
} as const;

const demo = { owner: demoOwner, initialConsent: 'shared' } as const;
const fleetOwner = { owner: 'car-pool', initialConsent: 'shared' } as const;
const [a, b, c] = [{ brandPosition: 0 }, { brandPosition: 1 }, { brandPosition: 2 }] as const;

/** Every vehicle of the sandbox. VINs are fixed; the letter in the eighth place stands for the position of the brand. */
export const fleetVehicles: readonly FleetVehicle[] = [
  {
    vin: 'SANDB0XA000000001',
    ...a,
    ...demo,
    ...berlin,
    type: 'EV',
    habit: 'commuter',
    nickname: 'Grocery getter',
    name: 'NE1',
    sellname: 'Model 5',
  },
  {
    vin: 'SANDB0XA000000002',
    ...a,
    ...demo,
    ...berlin,
    type: 'GN',
    habit: 'traveller',
    nickname: 'Long hauler',
    name: 'CN7',
    sellname: 'Model 3',
  },
  {
    vin: 'SANDB0XA000000003',
    ...a,
    ...demo,
    ...london,
    type: 'HV',
    habit: 'family',
    nickname: 'School bus',
    name: 'HX4',
    sellname: 'Model 4 Hybrid',
  },
  {
    vin: 'SANDB0XA000000004',
    ...a,
    ...fleetOwner,
    ...berlin,
    type: 'PE',
    habit: 'commuter',
    nickname: 'Pool 1',
    name: 'PX2',
    sellname: 'Model 2 Plug-in',
  },
  {
    vin: 'SANDB0XA000000005',
    ...a,
    ...demo,
    ...london,
    initialConsent: 'never',
    type: 'GN',
    habit: 'occasional',
    nickname: 'Sunday best',
    name: 'CN7',
    sellname: 'Model 3',
  },
  {
    vin: 'SANDB0XB000000001',
    ...b,
    ...demo,
    ...newYork,
    type: 'PE',
    habit: 'commuter',
    nickname: 'Both worlds',
    name: 'PK3',
    sellname: 'Series 3 Plug-in',
  },
  {
    vin: 'SANDB0XB000000002',
    ...b,
    ...fleetOwner,
    ...losAngeles,
    type: 'EV',
    habit: 'traveller',
    nickname: 'Pool 2',
    name: 'EK6',
    sellname: 'Series 6',
  },
  {
    vin: 'SANDB0XB000000003',
    ...b,
    ...demo,
    ...seoul,
    type: 'FV',
    habit: 'family',
    nickname: 'Water maker',
    name: 'FK1',
    sellname: 'Series 1 Fuel Cell',
  },
  {
    vin: 'SANDB0XB000000004',
    ...b,
    ...fleetOwner,
    ...newYork,
    type: 'GN',
    habit: 'family',
    nickname: 'Pool 3',
    name: 'GK2',
    sellname: 'Series 2',
  },
  {
    vin: 'SANDB0XB000000005',
    ...b,
    ...demo,
    ...losAngeles,
    initialConsent: 'withdrawn',
    type: 'HV',
    habit: 'occasional',
    nickname: 'Beach car',
    name: 'HK4',
    sellname: 'Series 4 Hybrid',
  },
  {
    vin: 'SANDB0XC000000001',
    ...c,
    ...demo,
    ...sydney,
    type: 'EV',
    habit: 'family',
    nickname: 'Quiet one',
    name: 'EG8',
    sellname: 'Line 8',
  },
  {
    vin: 'SANDB0XC000000002',
    ...c,
    ...demo,
    ...bengaluru,
    type: 'UNKNOWN',
    habit: 'occasional',
    nickname: 'Old friend',
    name: 'GG1',
    sellname: 'Line 1',
  },
  {
    vin: 'SANDB0XC000000003',
    ...c,
    ...fleetOwner,
    ...seoul,
    type: 'FV',
    habit: 'commuter',
    nickname: 'Pool 4',
    name: 'FG2',
    sellname: 'Line 2 Fuel Cell',
  },
  {
    vin: 'SANDB0XC000000004',
    ...c,
    ...fleetOwner,
    ...sydney,
    type: 'HV',
    habit: 'commuter',
    nickname: 'Pool 5',
    name: 'HG3',
    sellname: 'Line 3 Hybrid',
  },
];
