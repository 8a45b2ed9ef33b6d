import type { ErrorEntry, OperationSpec } from '@vehicle-data/openapi';
import { methodNamesOf, parametersTypeOf } from './operation-table.ts';
import type { Payload } from './payloads.ts';

/** The fakes of the methods in tests, and the texts of the catalogue's errors. */
export function fakeTypes(
  specs: readonly OperationSpec[],
  payloads: Readonly<Record<string, Payload>>,
  catalogue: readonly ErrorEntry[],
  brands: readonly string[],
): string {
  const methods = specs.flatMap((operation) => {
    const [narrow, wide] = methodNamesOf(operation);
    const schema = payloads[operation.operationId]?.schema ?? '';
    const own = operation.parameters.some((one) => one.in !== 'header');
    const type = own ? parametersTypeOf(narrow) : 'NoParameters';
    const members = [{ name: narrow, type, schema }];
    return wide === undefined ? members : [...members, { name: wide, type: 'NoParameters', schema }];
  });
  const types = methods.map(({ type }) => type).filter((type) => type !== 'NoParameters');
  return `import type { ${[...new Set(types)].toSorted().join(', ')} } from './methods.js';
import { ${methods
    .map(({ name }) => name)
    .toSorted()
    .join(', ')} } from './operations.js';
import type { ${[...new Set(methods.map(({ schema }) => schema))].toSorted().join(', ')} } from './schemas.js';

type NoParameters = Record<never, never>;

/** What a fake knows of a call beside its parameters. */
export interface FakeCall {
  readonly brand: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Gives the payload of a call, or throws \`serviceError(code)\`. */
export type Fake<Parameters, Data> = (parameters: Parameters, call: FakeCall) => Data | Promise<Data>;

/** Functions in place of the service, by the methods of the client. */
export interface Fakes {
${methods.map(({ name, type, schema }) => `  readonly ${name}?: Fake<${type}, ${schema}> | undefined;`).join('\n')}
}

export const brands = ${JSON.stringify([...new Set(brands)])} as const;

export const fakedOperations = { ${methods.map(({ name }) => name).join(', ')} } as const;

/** Text and HTTP status of each error of the catalogue. */
export const errorTexts: ReadonlyMap<string, { readonly message: string; readonly status: number }> = new Map([
${catalogue.map(({ code, message, status }) => `  ['${code}', { message: ${JSON.stringify(message)}, status: ${status} }],`).join('\n')}
]);
`;
}
