// Writes src/generated/responses.ts: what the sandbox needs of the contract beyond the operation table.
import { operations } from '@vehicle-data/openapi';
import { dataOf, type Json, openContract, type Place, writeGenerated } from '@vehicle-data/openapi/model';

/** The `meta.success` of the first example of an operation's successful response. */
function successOf(operation: Place): Json {
  const response = operation.child('responses').child('200').resolved('responses');
  const [example] = response.child('content').child('application/json').child('examples').entries();
  const [, named = response.fail('has no example')] = example ?? [];
  return named.resolved('examples').child('value').child('meta').child('success').value;
}

/** Of several types or alternatives, the first that is not null: the one that the sandbox plays. */
function played(key: string, value: Json): unknown {
  if (key === 'type' && Array.isArray(value)) return value.find((type) => type !== 'null');
  const { anyOf, ...others } = (value ?? {}) as { anyOf?: readonly { type: Json }[] };
  return anyOf ? { ...anyOf.find(({ type }) => type !== 'null'), ...others } : value;
}

await writeGenerated(new URL('../src/generated/', import.meta.url), async () => {
  const contract = await openContract();
  const responses = Object.values(operations).map((operation) => {
    const place = contract.child('paths').child(operation.path).child(operation.method.toLowerCase());
    return [operation.operationId, { success: successOf(place), data: dataOf(contract, operation).inlined() }];
  });
  return {
    'responses.ts': `/** A schema of the contract without references and alternatives, and the keywords that the sandbox reads. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly type: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
}
/** The 200 response of every operation: its \`meta.success\`, and the schema of its \`data\`. */
export const responses: Readonly<Record<string, { readonly success: unknown; readonly data: Schema }>> = ${JSON.stringify(Object.fromEntries(responses), played, 2)};
`,
  };
});
