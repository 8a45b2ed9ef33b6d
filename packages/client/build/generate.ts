// Writes src/generated/ from the contract: types, the operations of the run time, error facts, signals and the methods of
// the client. Nothing in src/ names an operation, a parameter, a route or a limit by hand.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorCatalogue, type OperationSpec, operations } from '@vehicle-data/openapi';
import { openContract, schemasOf } from '@vehicle-data/openapi/model';
import { methodClasses, queryFactories } from './methods.ts';
import { operationTable, readPayloads } from './operation-table.ts';
import { schemaInterfaces } from './schema-interfaces.ts';
import { errorTable, signalTable, tripSeries } from './tables.ts';
import { factories, fakeData } from './testing.ts';

const folder = fileURLToPath(new URL('../src/generated', import.meta.url));
const types = new URL('../src/generated/types.ts', import.meta.resolve('@vehicle-data/openapi'));

const specs: readonly OperationSpec[] = Object.values(operations);
const contract = await openContract();
const payloads = readPayloads(contract, specs);
const examples = Object.fromEntries(
  schemasOf(contract).flatMap(([name, schema]) => {
    const example = schema.optional('examples')?.items()[0]?.value;
    return typeof example === 'string' ? [[name, example]] : [];
  }),
);
const files: Readonly<Record<string, string>> = {
  'types.ts': await readFile(types, 'utf8'),
  'schemas.ts': schemaInterfaces(contract),
  'operations.ts': operationTable(specs, payloads, examples),
  'errors.ts': errorTable(errorCatalogue),
  'signals.ts': signalTable(specs),
  'trip-series.ts': tripSeries(specs),
  'methods.ts': methodClasses(specs, payloads, errorCatalogue),
  'queries.ts': queryFactories(specs, payloads),
  'fakes.ts': fakeData(specs, errorCatalogue),
  'factories.ts': factories(contract),
};

// What was built before goes with it, so that no module stays whose source is gone.
const dist = fileURLToPath(new URL('../dist', import.meta.url));
await Promise.all([folder, dist].map((path) => rm(path, { recursive: true, force: true })));
await mkdir(folder, { recursive: true });
await Promise.all(
  Object.entries(files).map(([name, text]) =>
    writeFile(
      `${folder}/${name}`,
      text.startsWith('// Generated') ? text : `// Generated from the contract. Do not edit.\n${text}`,
    ),
  ),
);
