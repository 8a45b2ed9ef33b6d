// Writes src/generated/responses.ts: what the sandbox needs of the contract beyond the operation table.
import { operations } from '@vehicle-data/openapi';
import {
  dataOf,
  type Json,
  type NumberSchema,
  openContract,
  type Place,
  readSchema,
  readSchemas,
  resolve,
  type Schema,
  writeGenerated,
} from '@vehicle-data/openapi/model';

/** The `meta.success` of the first example of an operation's successful response. */
function successOf(operation: Place): Json {
  const response = operation.child('responses').child('200').resolved('responses');
  const [example] = response.child('content').child('application/json').child('examples').entries();
  const [, named = response.fail('has no example')] = example ?? [];
  return named.resolved('examples').child('value').child('meta').child('success').value;
}

const isBetween = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: NumberSchema) =>
  minimum !== undefined && maximum !== undefined && (exclusiveMinimum ?? exclusiveMaximum) === undefined;

await writeGenerated(new URL('../src/generated/', import.meta.url), async () => {
  const contract = await openContract();
  const schemas = readSchemas(contract);
  /** A schema as the sandbox plays it: without references, members by name; null only where a list of values has it. */
  const played = (schema: Schema, place: Place): object => {
    const known = resolve(schema, schemas);
    if (known.kind === 'nullable') return played(known.schema, place);
    if (known.kind === 'array') return { ...known, items: played(known.items, place) };
    if (known.kind === 'object') {
      const members = known.properties.map((one) => [one.name, played(one.schema, one.place)]);
      const required = known.properties.flatMap((one) => (one.required ? one.name : []));
      return { kind: 'object', required, properties: Object.fromEntries(members) };
    }
    if (known.kind !== 'string' && known.kind !== 'number') return known;
    // Times and numbers between two bounds are drawn. Any other text or number is the example, if there is one.
    if (known.kind === 'string' ? known.format === 'date-time' : isBetween(known))
      return { ...known, example: undefined };
    const isPlayed = ([name, rule]: readonly [string, unknown]) =>
      rule === undefined || /^(kind|integer|unit|minimum|maximum)$/.test(name);
    const own = place.optional('examples')?.items()[0]?.value;
    const example = typeof own === known.kind ? own : known.example;
    if (example === undefined && !Object.entries(known).every(isPlayed))
      place.fail('the sandbox needs an example beside the rule');
    return { ...known, example };
  };
  const responses = Object.values(operations).map((operation) => {
    const place = contract.child('paths').child(operation.path).child(operation.method.toLowerCase());
    const data = dataOf(contract, operation);
    const schema = readSchema(data);
    if (schema.kind !== 'object') data.fail('the sandbox plays data that is an object');
    return [operation.operationId, { success: successOf(place), data: played(schema, data) }];
  });
  const vehicleType = schemas.get('VehicleType');
  const vehicleTypes =
    vehicleType?.kind === 'enum' ? vehicleType.values : contract.fail('has no enumeration VehicleType');
  return {
    'responses.ts': `/** A schema of the contract without references and alternatives, as the sandbox plays it. */
export interface Schema {
  readonly [rule: string]: unknown;
  readonly kind: string;
  readonly values?: readonly unknown[];
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  /** What is played in place of a value that is drawn. */
  readonly example?: string | number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
}
/** The kinds of drive that a vehicle can have. */
export const vehicleTypes = ${JSON.stringify(vehicleTypes)} as const;

/** The 200 response of every operation: its \`meta.success\`, and the schema of its \`data\`. */
export const responses: Readonly<Record<string, { readonly success: unknown; readonly data: Schema }>> = ${JSON.stringify(Object.fromEntries(responses), null, 2)};
`,
  };
});
