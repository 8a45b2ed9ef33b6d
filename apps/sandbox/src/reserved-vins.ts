import { type ErrorCode, errorCatalogue, type OperationId } from '@vehicle-data/openapi';
import { type DirtyKind, dirtyKinds, isDirtyKind } from './dirty-data.js';
import { complete, type FleetVehicle, vinPrefix } from './fleet/vehicles.js';

/** What follows `SANDB0X` and the letter of any brand in a reserved VIN. */
const rest = (vin: string) => (/^SANDB0X[A-Z]/.test(vin) ? vin.slice(8) : '');

/** VINs that give one error of the service: `ERR` + the code in six digits. */
export const reservedVins: readonly { readonly vin: string; readonly code: ErrorCode }[] = errorCatalogue
  .filter(({ origin }) => origin !== 'proxy')
  .map(({ code }) => ({ vin: `${vinPrefix}AERR${code.padStart(6, '0')}`, code }));

/** The error that a reserved VIN gives on an operation, if the contract lists it there. */
export function reservedError(vin: string, id: OperationId): ErrorCode | undefined {
  const code = reservedVins.find((reserved) => rest(reserved.vin) === rest(vin))?.code;
  return errorCatalogue.find((entry) => entry.code === code && entry.operations.some((one) => one === id))?.code;
}

/** VINs of a kind of dirty data: `DIRTY` + its number in four digits. */
export const dirtyVins: readonly { readonly vin: string; readonly kind: DirtyKind }[] = Object.keys(dirtyKinds)
  .filter(isDirtyKind)
  .map((kind, index) => ({ vin: `${vinPrefix}ADIRTY${String(index + 1).padStart(4, '0')}`, kind }));

export function dirtyKindOf(vin: string): DirtyKind | undefined {
  return dirtyVins.find((dirty) => rest(dirty.vin) === rest(vin))?.kind;
}

/** The vehicle of a reserved VIN of dirty data: a hybrid of the demo owner, which has every group of signals and is not listed. */
export function dirtyVehicle(vin: string, seed: number, brands: readonly string[]): FleetVehicle | undefined {
  if (dirtyKindOf(vin) === undefined) return undefined;
  const brand = brands[vin.charCodeAt(vinPrefix.length) - 65] ?? '';
  return complete(seed, { vin, brand, type: 'HV', habit: 'commuter', zone: 'Europe/Berlin' });
}
