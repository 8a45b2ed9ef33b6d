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
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const same = <One, Other>(_: Same<One, Other>) => undefined;

export async function options() {
  createVehicleDataClient({ baseUrl: new URL('http://127.0.0.1:8787'), fetch: globalThis.fetch, logger: console });
  createVehicleDataClient({
    baseUrl: '',
    accessToken: async ({ refresh }) => (refresh ? 'new' : 'old'),
    timeoutMs: undefined,
  });
  // @ts-expect-error a base address is needed
  createVehicleDataClient({});
  // @ts-expect-error not a brand of the contract
  createVehicleDataClient({ baseUrl: '', brand: 'brand_d' });
  // @ts-expect-error a token is a text
  createVehicleDataClient({ baseUrl: '', accessToken: () => 7 });
  // @ts-expect-error no such option
  createVehicleDataClient({ baseUrl: '', retries: 3 });
  createVehicleDataClient({ baseUrl: '', accessToken: null, apiKey: 'key', maxConcurrency: 4, logLevel: 'warn' });
  createVehicleDataClient({ baseUrl: '', headers: async ({ attempt }) => ({ 'x-attempt': `${attempt}` }) });
  createVehicleDataClient({ baseUrl: '', fetch: (url, init) => fetch(url, init) });
  createVehicleDataClient({
    baseUrl: '',
    accessToken: ({ brand, operation, signal }) => `${brand}${operation}${signal.aborted}`,
  });
  client.with({ brand: 'brand_b', accessToken: () => 'x', signal: null }) satisfies VehicleDataClient;
  // @ts-expect-error the address stays that of the client
  client.with({ baseUrl: '' });
}

export async function payloads() {
  const { vehicles } = await client.listVehicles();
  same<(typeof vehicles)[number]['type'], 'GN' | 'EV' | 'HV' | 'PE' | 'FV' | 'UNKNOWN' | undefined>(true);
  const { location, timestamp } = await client.getLocation({ vin });
  same<typeof location.latitude, number | undefined>(true);
  same<typeof timestamp, string | undefined>(true);
  const { trips } = await client.getDrivingData({ vin, startDate: '20260302', endDate: '20260309', zoneId: undefined });
  same<NonNullable<(typeof trips)[number]['transmission']>['gear'], ('p' | 'r' | 'n' | 'd')[] | undefined>(true);
  // @ts-expect-error driving trips have no engine
  trips[0]?.engine;
}

/** The interfaces are the schemas of the contract, both ways. */
export function interfaces(schemas: components['schemas']) {
  const [location, driving, powertrain]: [LocationRecord, DrivingTrip, PowertrainTrip] = [
    schemas.LocationRecord,
    schemas.DrivingTrip,
    schemas.PowertrainTrip,
  ];
  const [vehicle, status]: [Vehicle, CurrentStatus] = [schemas.Vehicle, schemas.CurrentStatus];
  location satisfies components['schemas']['LocationRecord'];
  driving satisfies components['schemas']['DrivingTrip'];
  powertrain satisfies components['schemas']['PowertrainTrip'];
  vehicle satisfies components['schemas']['Vehicle'];
  status satisfies components['schemas']['CurrentStatus'];
}

export async function stubs() {
  client.getLocation({ vin }) satisfies Promise<LocationRecord>;
  const stub: Pick<VehicleDataClient, 'getLocation'> = { getLocation: () => apiResponse(createLocationRecord()) };
  const trips: Pick<VehicleDataClient['trips'], 'driving'> = { driving: () => fakeTrips([]) };
  fakeClient({ getLocation: async ({ vin }) => createLocationRecord({ timestamp: vin }) }) satisfies VehicleDataClient;
  // @ts-expect-error a location record has no trips
  fakeClient({ getLocation: () => ({ trips: [] }) });
  return [stub, trips];
}

export async function argumentsOfMethods() {
  // @ts-expect-error a VIN is needed
  await client.getLocation({});
  // @ts-expect-error a VIN is a text
  await client.getLocation({ vin: 7 });
  // @ts-expect-error both days are needed
  await client.getDrivingData({ vin, startDate: '20260302' });
  // @ts-expect-error no such parameter
  await client.getDrivingData({ vin, startDate: '20260302', endDate: '20260303', zone: 'UTC' });
  // @ts-expect-error no such option
  await client.getLocation({ vin }, { retries: 1 });
  await client.getLocation(
    { vin },
    { signal: AbortSignal.timeout(1), timeoutMs: 5, maxRetries: 0, headers: { a: 'b' }, brand: 'brand_b' },
  );
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
  // @ts-expect-error not a brand of the contract
  await client.stopSharingForAllVehicles({ brand: 'brand_d' });
  // @ts-expect-error the operation has two names for its two effects, and not its own
  await client.stopDataSharing({ vin });
}

export async function responses() {
  const response = await client.getLocation({ vin }).withResponse();
  same<typeof response.meta.success, boolean>(true);
  same<typeof response.dataAgeMs, number | null>(true);
  same<typeof response.headers, Headers>(true);
  same<typeof response.requestId, string | undefined>(true);
  const list = await client.listVehicles().withResponse();
  // @ts-expect-error a list has no time of its own
  list.dataAgeMs;
}

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
  // @ts-expect-error this path has no DELETE
  await client.raw.DELETE('/v1/vehicles/{vin}/locations', { params: { path: { vin } } });
  // @ts-expect-error the service has no POST
  client.raw.POST;
}

export async function trips() {
  for await (const trip of client.trips.powertrain(
    { vin, from: '20260101', to: '20261231', zoneId: 'UTC' },
    { concurrency: 2 },
  )) {
    same<NonNullable<typeof trip.engine>['rpm'], number[] | undefined>(true);
  }
  const iterator = client.trips.driving(
    { vin, from: '20260101', to: '20261231' },
    { cursor: undefined, onProgress: ({ trips }) => trips },
  );
  same<typeof iterator.cursor, string | undefined>(true);
  // @ts-expect-error an end is needed
  client.trips.driving({ vin, from: '20260101' });
  // @ts-expect-error no such series
  client.trips.cycling;
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

export async function series() {
  const {
    trips: [trip],
  } = await client.getDrivingData({ vin, startDate: '20260302', endDate: '20260309' });
  if (!trip) return;
  const columns = toColumns('driving', trip);
  same<NonNullable<(typeof columns.columns)['odometer.value']>['values'], Float64Array>(true);
  same<NonNullable<(typeof columns.columns)['transmission.gear']>['values'], readonly ('p' | 'r' | 'n' | 'd' | null)[]>(
    true,
  );
  same<
    (typeof signalsOf<'driving'> extends (name: 'driving') => infer Signals
      ? Signals
      : never)['odometer.value']['unit'],
    'km'
  >(true);
  toRows(columns)[0]?.rows[0]?.['seatbelt.driver'] satisfies 'belted' | 'unbelted' | null | undefined;
  points(columns, 'odometer.value')[0]?.value satisfies number | null | undefined;
  points(columns, 'transmission.gear')[0]?.value satisfies 'p' | 'r' | 'n' | 'd' | null | undefined;
  // @ts-expect-error a signal of the other series
  columns.columns['engine.rpm'];
}

export const brands = ['brand_a', 'brand_b', 'brand_c'] satisfies Brand[];
