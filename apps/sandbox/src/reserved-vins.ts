import { type ErrorCode, errorCatalogue } from '@vehicle-data/openapi';

/** VINs that always give one error: `SANDB0X` + a letter + `ERR` + the code in six digits. The letter may be that of any brand. */
const form = /^SANDB0X[A-Z]ERR([0-9]{6})$/;

const codes: ReadonlyMap<string, ErrorCode> = new Map(
  errorCatalogue.filter(({ origin }) => origin !== 'proxy').map(({ code }) => [code.padStart(6, '0'), code]),
);

/** The reserved VIN of each error code of the service, under the first brand's letter. */
export const reservedVins: readonly { readonly vin: string; readonly code: ErrorCode }[] = [...codes].map(
  ([digits, code]) => ({ vin: `SANDB0XAERR${digits}`, code }),
);

/** The error that a reserved VIN stands for. */
export function errorOfReservedVin(vin: string): ErrorCode | undefined {
  const digits = form.exec(vin)?.[1];
  return digits === undefined ? undefined : codes.get(digits);
}
