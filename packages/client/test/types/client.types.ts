// Checked by `tsc` alone: every line below an expect-error comment must be an error, every other line must not.
import {
  type Brand,
  type CurrentStatus,
  type components,
  createVehicleDataClient,
  type DrivingTrip,
  type ErrorCode,
  isVehicleDataError,
  type LocationRecord,
  NoDataError,
  type PowertrainTrip,
  type Resolution,
  type Vehicle,
  type VehicleDataClient,
} from '../../src/index.js';
import { points, type signalsOf, toColumns, toRows } from '../../src/series/index.js';
import { apiResponse, createLocationRecord, fakeClient, fakeTrips } from '../../src/testing/index.js';

const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8787', brand: 'brand_a', accessToken: () => 'x' });
const vin = 'SANDB0XA000000001';
const days = { vin, startDate: '20260302', endDate: '20260309' };
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const same = <One, Other>(_: Same<One, Other>) => undefined;

export function options() {
  createVehicleDataClient({
    baseUrl: new URL('http://127.0.0.1:8787'),
    brand: undefined,
    accessToken: async ({ refresh, brand, operation, signal }) =>
      refresh ? `${brand}${operation}${signal.aborted}` : 'old',
    apiKey: 'key',
    headers: async ({ attempt }) => ({ 'x-attempt': `${attempt}` }),
    fetch: (url, init) => fetch(url, init),
    logger: console,
    logLevel: 'warn',
    maxConcurrency: 4,
  });
  createVehicleDataClient({ baseUrl: '', accessToken: null, fetch: globalThis.fetch });
  // @ts-expect-error a base address is needed
  createVehicleDataClient({});
  // @ts-expect-error not a brand of the contract
  createVehicleDataClient({ baseUrl: '', brand: 'brand_d' });
  // @ts-expect-error a token is a text
  createVehicleDataClient({ baseUrl: '', accessToken: () => 7 });
  // @ts-expect-error no such option
  createVehicleDataClient({ baseUrl: '', retries: 3 });
  client.with({ brand: 'brand_b', accessToken: () => 'x', signal: null }) satisfies VehicleDataClient;
  // @ts-expect-error the address stays that of the client
  client.with({ baseUrl: '' });
}

/** A deployment names its own brands, and the types follow without a cast. */
export async function ownBrands() {
  const baseUrl = '';
  const own = createVehicleDataClient({
    baseUrl,
    brands: ['acme', 'zenith'],
    brand: 'acme',
    accessToken: ({ brand }) => brand,
  });
  own satisfies VehicleDataClient<'acme' | 'zenith'>;
  own.with({ brand: 'zenith' }) satisfies VehicleDataClient<'acme' | 'zenith'>;
  await own.getLocation({ vin }, { brand: 'zenith' });
  await own.stopSharingForAllVehicles({ brand: 'zenith' });
  own.trips.sync({ series: 'driving', vin, since: '20260101' }, { brand: 'acme' });
  // @ts-expect-error not one of these brands
  createVehicleDataClient({ baseUrl: '', brands: ['acme', 'zenith'], brand: 'brand_a' });
  // @ts-expect-error not one of these brands
  own.with({ brand: 'brand_a' });
  // @ts-expect-error not one of these brands
  await own.getLocation({ vin }, { brand: 'brand_a' });
  // @ts-expect-error not one of these brands
  await own.stopSharingForAllVehicles({ brand: 'brand_a' });
  // @ts-expect-error not one of these brands
  own.trips.driving({ vin, from: '20260101', to: '20260102' }, { brand: 'brand_a' });
  // @ts-expect-error not one of these brands
  await own.raw.GET('/v1/vehicles/consent', { brand: 'brand_a' });
  const names: readonly string[] = ['acme'];
  createVehicleDataClient({ baseUrl: '', brands: names, brand: names[0] }) satisfies VehicleDataClient<string>;
  const anyClient = (one: VehicleDataClient<never>) => one.listVehicles();
  await anyClient(own);
  await anyClient(client);
  fakeClient({}, { brands: ['acme'] }).with({ brand: 'acme' });
  // @ts-expect-error a token that was lost is not that of the client
  client.with({ accessToken: undefined });
}

/** The interfaces are the schemas of the contract, both ways. */
export function interfaces() {
  type Schemas = components['schemas'];
  same<LocationRecord, Schemas['LocationRecord']>(true);
  same<DrivingTrip, Schemas['DrivingTrip']>(true);
  same<PowertrainTrip, Schemas['PowertrainTrip']>(true);
  same<Vehicle, Schemas['Vehicle']>(true);
  same<CurrentStatus, Schemas['CurrentStatus']>(true);
}

export async function methods() {
  const { vehicles } = await client.listVehicles();
  same<(typeof vehicles)[number]['type'], 'GN' | 'EV' | 'HV' | 'PE' | 'FV' | 'UNKNOWN' | undefined>(true);
  const { trips } = await client.getDrivingData({ ...days, zoneId: undefined });
  same<NonNullable<(typeof trips)[number]['transmission']>['gear'], ('p' | 'r' | 'n' | 'd')[] | undefined>(true);
  // @ts-expect-error driving trips have no engine
  trips[0]?.engine;
  const callOptions = { signal: AbortSignal.timeout(1), timeoutMs: 5, maxRetries: 0, headers: { a: 'b' } };
  const response = await client.getLocation({ vin }, { ...callOptions, brand: 'brand_b' }).withResponse();
  same<typeof response.data.location.latitude, number | undefined>(true);
  same<typeof response.meta.success, boolean>(true);
  same<typeof response.dataAgeMs, number | null>(true);
  same<typeof response.headers, Headers>(true);
  same<typeof response.requestId, string | undefined>(true);
  // @ts-expect-error a list has no time of its own
  (await client.listVehicles().withResponse()).dataAgeMs;
  // @ts-expect-error a VIN is needed
  await client.getLocation({});
  // @ts-expect-error a VIN is a text
  await client.getLocation({ vin: 7 });
  // @ts-expect-error both days are needed
  await client.getDrivingData({ vin, startDate: '20260302' });
  // @ts-expect-error no such parameter
  await client.getDrivingData({ ...days, zone: 'UTC' });
  // @ts-expect-error no such option
  await client.getLocation({ vin }, { retries: 1 });
}

export async function withdrawal() {
  await client.stopSharing({ vin });
  await client.stopSharingForAllVehicles({ brand: 'brand_a' });
  // @ts-expect-error one vehicle must be named
  await client.stopSharing({});
  // @ts-expect-error one vehicle must be named
  await client.stopSharing({ vin: undefined });
  // @ts-expect-error one vehicle must be named
  await client.stopSharing();
  // @ts-expect-error the brand must be repeated
  await client.stopSharingForAllVehicles();
  // @ts-expect-error the operation has two names for its two effects, and not its own
  await client.stopDataSharing({ vin });
}

/** `raw` needs a VIN to stop sharing. */
export async function rawStyle() {
  const { data, error, response } = await client.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: { vin } } });
  if (data) same<typeof data.data.location.heading, number | undefined>(true);
  if (error) same<typeof error.error.code, string>(true);
  same<typeof response, Response>(true);
  await client.raw.GET('/v1/vehicles/consent');
  await client.raw.DELETE('/v1/vehicles/consent', { params: { query: { vin } }, timeoutMs: 5 });
  // @ts-expect-error without a query, a DELETE would stop sharing for every vehicle
  await client.raw.DELETE('/v1/vehicles/consent');
  // @ts-expect-error so would an empty one
  await client.raw.DELETE('/v1/vehicles/consent', { params: { query: {} } });
  // @ts-expect-error so would an undefined VIN
  await client.raw.DELETE('/v1/vehicles/consent', { params: { query: { vin: undefined } } });
  // @ts-expect-error no such path
  await client.raw.GET('/v1/vehicles');
  // @ts-expect-error a VIN is needed
  await client.raw.GET('/v1/vehicles/{vin}/locations');
  // @ts-expect-error the service has no POST
  client.raw.POST;
}

export async function trips() {
  const range = { vin, from: '20260101', to: '20261231' };
  for await (const trip of client.trips.powertrain({ ...range, zoneId: 'UTC' }, { concurrency: 2 }))
    same<NonNullable<typeof trip.engine>['rpm'], number[] | undefined>(true);
  const iterator = client.trips.driving(range, { cursor: undefined, onProgress: ({ trips }) => trips });
  same<typeof iterator.cursor, string | undefined>(true);
  // @ts-expect-error an end is needed
  client.trips.driving({ vin, from: '20260101' });
}

export function errors(error: unknown) {
  if (!isVehicleDataError(error)) return;
  same<typeof error.resolution, Resolution>(true);
  const code: ErrorCode = '4002';
  if (error.code === code || error instanceof NoDataError) error.isTemporary satisfies boolean;
  // @ts-expect-error not a code of the catalogue
  'code-of-nobody' satisfies ErrorCode;
  // @ts-expect-error errors are for reading
  error.status = 200;
}

/** Stubs of methods and of `trips` type-check. */
export function stubs() {
  client.getLocation({ vin }) satisfies Promise<LocationRecord>;
  const stub: Pick<VehicleDataClient, 'getLocation'> = { getLocation: () => apiResponse(createLocationRecord()) };
  const trips: Pick<VehicleDataClient['trips'], 'driving'> = { driving: () => fakeTrips([]) };
  fakeClient({ getLocation: async ({ vin }) => createLocationRecord({ timestamp: vin }) }) satisfies VehicleDataClient;
  // @ts-expect-error a location record has no trips
  fakeClient({ getLocation: () => ({ trips: [] }) });
  return [stub, trips];
}

export function series(trip: DrivingTrip) {
  const { columns, ...rest } = toColumns('driving', trip);
  same<NonNullable<(typeof columns)['odometer.value']>['values'], Float64Array>(true);
  same<NonNullable<(typeof columns)['transmission.gear']>['values'], readonly ('p' | 'r' | 'n' | 'd' | null)[]>(true);
  same<ReturnType<typeof signalsOf<'driving'>>['odometer.value']['unit'], 'km'>(true);
  const read = { columns, ...rest };
  toRows(read)[0]?.rows[0]?.['seatbelt.driver'] satisfies 'belted' | 'unbelted' | null | undefined;
  points(read, 'odometer.value')[0]?.value satisfies number | null | undefined;
  points(read, 'transmission.gear')[0]?.value satisfies 'p' | 'r' | 'n' | 'd' | null | undefined;
  // @ts-expect-error a signal of the other series
  columns['engine.rpm'];
}

export const brands = ['brand_a', 'brand_b', 'brand_c'] satisfies Brand[];
