// What the proxy asks of the contract as a whole: its operations and its brands.
import { type OperationId, type OperationSpec, operations } from '@vehicle-data/openapi';

/** An operation of the contract, known by its identifier. */
export type ServedOperation = OperationSpec & { readonly operationId: OperationId };

export const servedOperations: readonly ServedOperation[] = Object.values(operations);

const brandParameter = servedOperations
  .flatMap((operation) => operation.parameters)
  .find((parameter) => parameter.in === 'header' && parameter.schema === 'Brand');

/** Name of the header with the brand, lower-case. */
export const brandHeader = brandParameter?.name.toLowerCase() ?? '';

export function contractBrands(): readonly string[] {
  return brandParameter?.rule.enum ?? [];
}
