import { servedOperations } from '../contract.js';

// Which operations end and show the sharing of a vehicle, as the contract has it.

const withdrawals = servedOperations.filter(({ wideEffect }) => wideEffect !== null);
const lists = servedOperations.filter(
  ({ method, path }) => method === 'GET' && withdrawals.some((withdrawal) => withdrawal.path === path),
);
const listIds: ReadonlySet<string> = new Set(lists.map(({ operationId }) => operationId));
const withdrawalIds: ReadonlySet<string> = new Set(withdrawals.map(({ operationId }) => operationId));

/** Whether an operation lists the vehicles that share. */
export const isList = (operationId: string) => listIds.has(operationId);
/** Whether an operation withdraws consent. */
export const isWithdrawal = (operationId: string) => withdrawalIds.has(operationId);

/** What the contract calls a VIN. */
const vinField = withdrawals.flatMap(({ parameters }) => parameters).find(({ schema }) => schema === 'Vin')?.name ?? '';

/** The VINs in the data of a response; `null` when its bytes are no JSON object, or the envelope of an error. */
export function vinsIn(body: Uint8Array): readonly string[] | null {
  const document = documentIn(body);
  if (document === null || document['error'] !== undefined) return null;
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each);
    else if (isObject(value))
      for (const [name, each] of Object.entries(value))
        if (name === vinField && typeof each === 'string') found.push(each);
        else collect(each);
  };
  collect(document['data']);
  return found;
}

/** Whether the body of a response is the envelope of an error, whatever its status. */
export function isErrorEnvelope(body: Uint8Array): boolean {
  return documentIn(body)?.['error'] !== undefined;
}

function documentIn(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(document) ? document : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
