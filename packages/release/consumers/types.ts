// Type-checked, never run: what a TypeScript user writes, and what the types must reject on exactly these lines.
import { createVehicleDataClient, isVehicleDataError, type Vehicle } from '@vehicle-data/client';
import { type components, type OperationId, operations } from '@vehicle-data/openapi';
import { isVin, validateRequest, validateResponse } from '@vehicle-data/validators';

const client = createVehicleDataClient({ baseUrl: 'https://vehicle-data.invalid', brand: 'brand_a' });
const { vehicles } = await client.listVehicles();
const first: Vehicle | undefined = vehicles[0];
const vin: string = first?.vin ?? '';
const { location } = await client.getLocation({ vin });
const latitude: number | undefined = location.latitude;
const trips: components['schemas']['DrivingTrip'][] = (
  await client.getDrivingData({ vin, startDate: '20260302', endDate: '20260309' })
).trips;
const id: OperationId = 'getLocation';
const path: string = operations[id].path;
const guarded: boolean = isVin(vin) && isVehicleDataError(new Error('no'));
const result = validateResponse('getLocation', 200, {});
if (result.ok) console.log(result.value.data.location, latitude, trips.length, path, guarded);

// @ts-expect-error The contract knows no such brand.
createVehicleDataClient({ baseUrl: 'https://vehicle-data.invalid', brand: 'brand_z' });
// @ts-expect-error A range has an end.
await client.getDrivingData({ vin, startDate: '20260302' });
// @ts-expect-error A VIN is a string.
await client.getLocation({ vin: 17 });
// @ts-expect-error A vehicle has no colour; had the types become any, this would pass.
first?.colour;
// @ts-expect-error There is no such operation.
validateRequest('getWeather', {});
// @ts-expect-error The operation table is closed.
operations.getWeather;
