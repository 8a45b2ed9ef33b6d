// Writes src/generated/ from the bundled contract and the IANA time zone database. Run by "pnpm run build".
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type OperationSpec, operations as operationTable } from '@vehicle-data/openapi';
import tzdata from 'tzdata' with { type: 'json' };
import { ContractPlace, GeneratorError, type Json } from './contract-place.ts';
import { CheckEmitter } from './emit-checks.ts';
import { emitOperations, emitOperationTables, emitOperationTypes, operationExports } from './emit-operations.ts';
import { ScalarEmitter } from './emit-scalars.ts';
import { emitSchemas, schemaExports } from './emit-schemas.ts';
import { StreamEmitter } from './emit-stream.ts';
import { readSchemas } from './schema-model.ts';
import { packTimeZones } from './time-zones.ts';

const generated = fileURLToPath(new URL('../src/generated/', import.meta.url));
const bundle = fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json'));
const contractTypes = new URL('../src/generated/types.ts', import.meta.resolve('@vehicle-data/openapi/openapi.json'));

async function generate(): Promise<void> {
  const contract = new ContractPlace(JSON.parse(await readFile(bundle, 'utf8')) as Json, bundle);
  const schemas = readSchemas(contract.child('components').child('schemas'));
  const operations: readonly OperationSpec[] = Object.values(operationTable);
  refuseClashes([...schemas.keys()].flatMap(schemaExports), operations.flatMap(operationExports));

  const scalars = new ScalarEmitter();
  const checks = new CheckEmitter(schemas, scalars).emit();
  const nodeScalars = new ScalarEmitter();
  const nodes = new StreamEmitter(schemas, nodeScalars).emit(operations);
  const files: Readonly<Record<string, string>> = {
    'types.ts': await readFile(contractTypes, 'utf8'),
    'checks.ts': [
      `import type { Findings } from '../findings.js';`,
      `import { ${valueChecks.filter((name) => used(checks, name)).join(', ')} } from '../value-checks.js';`,
      `import type { TextRule } from '../value-checks.js';`,
      scalars.preamble(),
      '',
      checks,
    ].join('\n'),
    'stream-nodes.ts': [
      `import { ${streamParts.filter((name) => used(nodes, name)).join(', ')} } from '../stream/stream-node.js';`,
      `import type { StreamNode } from '../stream/stream-node.js';`,
      `import { ${valueChecks.filter((name) => used(nodes, name)).join(', ')} } from '../value-checks.js';`,
      `import type { TextRule } from '../value-checks.js';`,
      nodeScalars.preamble(),
      '',
      nodes,
    ].join('\n'),
    'schemas.ts': emitSchemas(schemas),
    'operation-types.ts': emitOperationTypes(operations, schemas),
    'operations.ts': emitOperations(operations, schemas),
    'operation-tables.ts': emitOperationTables(operations),
    'time-zone-list.ts': `export const timeZoneList = ${JSON.stringify(packTimeZones(Object.keys(tzdata.zones)))};`,
  };
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated, { recursive: true });
  await Promise.all(
    Object.entries(files).map(([name, text]) =>
      writeFile(`${generated}${name}`, `// Generated from the contract. Do not edit.\n${text}\n`),
    ),
  );
}

/** The functions of src/value-checks.ts that checks are made of. */
const valueChecks = ['choice', 'each', 'isGroup', 'isList', 'isThere', 'notType', 'number', 'text', 'truth', 'within'];

/** What src/stream/stream-node.ts offers for writing down a contract. */
const streamParts = ['anyText', 'anything', 'choiceList', 'group', 'list', 'numberList', 'scalar'];

function used(source: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(source);
}

/** The fixed exports of src/index.ts are lower-case verbs and types that end in words no component may take. */
function refuseClashes(...lists: readonly (readonly string[])[]): void {
  const seen = new Set(['validateRequest', 'validateResponse']);
  for (const name of lists.flat()) {
    if (seen.has(name)) throw new Error(`two things of the contract would be exported as ${name}`);
    seen.add(name);
  }
}

try {
  await generate();
} catch (error) {
  console.error(error instanceof GeneratorError ? error.message : error);
  process.exitCode = 1;
}
