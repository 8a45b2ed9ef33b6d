import type { OperationSpec } from '@vehicle-data/openapi';
import type { ContractPlace } from './contract-place.ts';
import { CheckEmitter } from './emit-checks.ts';
import { emitOperations, emitOperationTables, emitOperationTypes, operationExports } from './emit-operations.ts';
import { ScalarEmitter } from './emit-scalars.ts';
import { emitSchemas, schemaExports } from './emit-schemas.ts';
import { StreamEmitter } from './emit-stream.ts';
import { readSchemas } from './schema-model.ts';
import { packTimeZones } from './time-zones.ts';

/** All that the written files are made from. */
export interface Facts {
  /** `components.schemas` of the bundled contract. */
  readonly schemas: ContractPlace;
  readonly operations: readonly OperationSpec[];
  /** The types of the contract, as TypeScript with an interface `components`. */
  readonly types: string;
  /** Every identifier of the time zone database. */
  readonly timeZones: readonly string[];
}

/** The functions of src/value-checks.ts that checks are made of. */
const valueChecks = [
  'areChoices',
  'choice',
  'isGroup',
  'isList',
  'isListOf',
  'isThere',
  'items',
  'number',
  'refuseType',
  'text',
  'truth',
  'within',
];

/** What src/stream/stream-node.ts offers for writing down a contract. */
const streamParts = ['anyText', 'anything', 'choiceList', 'group', 'list', 'numberList', 'scalar'];

/** Writes every file of src/generated/, by name. */
export function emitFiles({ schemas: place, operations, types, timeZones }: Facts): Readonly<Record<string, string>> {
  const schemas = readSchemas(place);
  refuseClashes([...schemas.keys()].flatMap(schemaExports), operations.flatMap(operationExports));
  const scalars = new ScalarEmitter();
  const checks = new CheckEmitter(schemas, scalars).emit();
  const nodeScalars = new ScalarEmitter();
  const nodes = new StreamEmitter(schemas, nodeScalars).emit(operations);
  const files = {
    'types.ts': types,
    'checks.ts': [
      `import type { Findings } from '../findings.js';`,
      importUsed(valueChecks, checks, '../value-checks.js'),
      scalars.preamble(),
      checks,
    ].join('\n'),
    'stream-nodes.ts': [
      importUsed(streamParts, nodes, '../stream/stream-node.js'),
      `import type { StreamNode } from '../stream/stream-node.js';`,
      importUsed(valueChecks, nodes, '../value-checks.js'),
      nodeScalars.preamble(),
      nodes,
    ].join('\n'),
    'schemas.ts': emitSchemas(schemas),
    'operation-types.ts': emitOperationTypes(operations, schemas),
    'operations.ts': emitOperations(operations, schemas),
    'operation-tables.ts': emitOperationTables(operations),
    'time-zone-list.ts': `export const timeZoneList = ${JSON.stringify(packTimeZones(timeZones))};`,
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, `// Generated from the contract. Do not edit.\n${text}\n`]),
  );
}

function importUsed(names: readonly string[], source: string, from: string): string {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(source));
  return `import { ${used.join(', ')} } from '${from}';`;
}

/** The fixed exports of src/index.ts are lower-case verbs and types that end in words no component may take. */
function refuseClashes(...lists: readonly (readonly string[])[]): void {
  const seen = new Set(['validateRequest', 'validateResponse']);
  for (const name of lists.flat()) {
    if (seen.has(name)) throw new Error(`two things of the contract would be exported as ${name}`);
    seen.add(name);
  }
}
