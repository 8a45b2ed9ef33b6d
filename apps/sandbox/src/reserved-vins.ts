import { type ErrorCode, errorCatalogue, type OperationId } from '@vehicle-data/openapi';
import { type DirtyKind, dirtyKinds } from './dirty-data.js';
import { type Fleet, unlistedVehicle, vinPrefix } from './fleet/vehicles.js';
import { errorEntry } from './reply.js';

/** VINs that give one error: `SANDB0X` + a letter + `ERR` + the code in six digits. The letter may be that of any brand. */
const form = new RegExp(`^${vinPrefix}[A-Z]ERR([0-9]{6})$`);

const codes: ReadonlyMap<string, ErrorCode> = new Map(
  errorCatalogue.filter(({ origin }) => origin !== 'proxy').map(({ code }) => [code.padStart(6, '0'), code]),
);

/** The reserved VIN of each error code of the service, under the first brand's letter. */
export const reservedVins: readonly { readonly vin: string; readonly code: ErrorCode }[] = [...codes].map(
  ([digits, code]) => ({ vin: `${vinPrefix}AERR${digits}`, code }),
);

/** The error that a reserved VIN gives on an operation, if the contract lists it there. */
export function reservedError(vin: string, id: OperationId): ErrorCode | undefined {
  const code = codes.get(form.exec(vin)?.[1] ?? '');
  const listed: readonly string[] = (code && errorEntry(code)?.operations) ?? [];
  return listed.includes(id) ? code : undefined;
}

/** The VIN of each kind of dirty data: `SANDB0X` + a letter + `DIRTY` + four letters. */
const dirtyLetters: Readonly<Record<DirtyKind, string>> = {
  'null-members': 'VOID',
  'unknown-members': 'XTRA',
  'unequal-lengths': 'UNEQ',
  'null-samples': 'NULL',
  'out-of-range': 'HIGH',
  'below-range': 'LESS',
  'invalid-choices': 'WILD',
  'missing-minute': 'GAPS',
  'fast-sampling': 'FAST',
  'slow-sampling': 'SLOW',
  'missing-group': 'GONE',
  'duplicate-trips': 'TWIN',
  'overlapping-trips': 'OVER',
  'reordered-trips': 'SWAP',
  'late-trips': 'LATE',
};

/** The reserved VIN of each kind of dirty data, under the first brand's letter. */
export const dirtyVins: readonly { readonly vin: string; readonly kind: DirtyKind }[] = dirtyKinds.map((kind) => ({
  vin: `${vinPrefix}ADIRTY${dirtyLetters[kind]}`,
  kind,
}));

/** The kind of dirty data that a reserved VIN gives. */
export function dirtyKindOf(vin: string): DirtyKind | undefined {
  const letters = new RegExp(`^${vinPrefix}[A-Z]DIRTY([A-Z]{4})$`).exec(vin)?.[1];
  return letters === undefined ? undefined : dirtyKinds.find((kind) => dirtyLetters[kind] === letters);
}

/** A fleet in which the reserved VINs of dirty data are vehicles too, without being listed: hybrids of the demo owner. */
export function withDirtyVehicles(fleet: Fleet, seed: number): Fleet {
  return {
    ...fleet,
    find: (vin) => (dirtyKindOf(vin) ? unlistedVehicle(seed, vin) : fleet.find(vin)),
  };
}
