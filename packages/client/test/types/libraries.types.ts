// Checked by `tsc` alone: every line below an expect-error comment must be an error, every other line must not.
import { type components, type OperationId, operations } from '@vehicle-data/openapi';
import { isVin, validateRequest, validateResponse } from '../../../validators/dist/index.js';

export function contract(id: OperationId, vehicle: components['schemas']['Vehicle']) {
  operations[id].path satisfies string;
  vehicle.vin satisfies string;
  // @ts-expect-error no such operation
  operations.getWeather;
  // @ts-expect-error no such member
  vehicle.color;
}

export function checks(value: unknown) {
  if (isVin(value)) value satisfies string;
  const result = validateResponse('getLocation', 200, value);
  if (result.ok) result.value.data.location.latitude satisfies number | undefined;
  // @ts-expect-error a value that did not pass is not there
  result.value;
  // @ts-expect-error no such operation
  validateRequest('getWeather', {});
}
