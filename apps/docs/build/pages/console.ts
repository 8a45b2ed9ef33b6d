// What the console of an operation page needs: the request with places for its parameters, the vehicles of the sandbox, and the series to draw.
import type { OperationSpec } from '@vehicle-data/openapi';
import { createSandbox } from '@vehicle-data/sandbox';
import { accessToken, baseUrl, valuesOf } from '../samples.ts';

/** A parameter that a reader can edit. */
export interface ConsoleParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly value: string;
  readonly kind: 'text' | 'date' | 'vehicle' | 'brand' | 'zone';
}

/** The data of the console of one operation. */
export interface ConsoleSpec {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly parameters: readonly ConsoleParameter[];
  readonly vehicles: readonly { readonly vin: string; readonly brand: string; readonly type: string }[];
  /** Where a response has trips, and which of their series are numbers. */
  readonly items: string;
  readonly signals: readonly { readonly path: string; readonly unit: string }[];
  /** The parameter without which the request concerns more than one vehicle. */
  readonly narrowedBy: string;
  /** The address of `npm start`. */
  readonly baseUrl: string;
}

const fleet = await createSandbox().fetch(new Request('http://sandbox/sandbox/vehicles'));
const { vehicles } = (await fleet.json()) as {
  vehicles: readonly { vin: string; brand: string; type: string; owner: string }[];
};
/** Those whose owner the demo token acts for. */
const own = vehicles.filter(({ owner }) => owner === 'demo').map(({ vin, brand, type }) => ({ vin, brand, type }));

function kindOf(name: string, { format }: { readonly format?: string }): ConsoleParameter['kind'] {
  if (name === 'Brand') return 'brand';
  if (name === 'vin') return 'vehicle';
  if (format === 'basic-date') return 'date';
  return format === 'iana-time-zone' ? 'zone' : 'text';
}

/** The data of a console as the value of an attribute. */
export function consoleOf(operation: OperationSpec): string {
  const values = valuesOf(operation);
  const parameters = operation.parameters
    .filter(({ name }) => name !== 'Authorization')
    .map(({ name, in: place, required, rule }) => ({
      name,
      in: place,
      required,
      value: values[name] ?? '',
      kind: kindOf(name, rule),
    }));
  const { items = '', signals = {} } = operation.series ?? {};
  const spec: ConsoleSpec = {
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    token: accessToken,
    parameters,
    vehicles: own,
    items,
    signals: Object.entries(signals).flatMap(([path, signal]) =>
      signal.kind === 'number' ? [{ path, unit: signal.unit }] : [],
    ),
    narrowedBy: operation.wideEffect?.parameter ?? '',
    baseUrl,
  };
  return JSON.stringify(spec).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
