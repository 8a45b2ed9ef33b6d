// Writes src/generated/ from the contract: types, the operation table of the run time, error facts, signals and the
// documented interface of the methods. Nothing in src/ names an operation, a parameter, a route or a limit by hand.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorCatalogue, type OperationSpec, operations } from '@vehicle-data/openapi';
import { errorTable } from './error-table.ts';
import { methodInterfaces } from './method-interfaces.ts';
import { operationTable } from './operation-table.ts';
import { readPayloads } from './payloads.ts';
import { signalTable } from './signal-table.ts';

const folder = fileURLToPath(new URL('../src/generated', import.meta.url));
const contract = (path: string) => new URL(`../${path}`, import.meta.resolve('@vehicle-data/openapi'));

const specs: readonly OperationSpec[] = Object.values(operations);
const document: unknown = JSON.parse(await readFile(contract('dist/openapi.json'), 'utf8'));
const payloads = readPayloads(document, specs);
const files: Readonly<Record<string, string>> = {
  'types.ts': await readFile(contract('src/generated/types.ts'), 'utf8'),
  'schemas.ts': await readFile(contract('src/generated/schemas.ts'), 'utf8'),
  'operations.ts': operationTable(specs, payloads),
  'errors.ts': errorTable(errorCatalogue),
  'signals.ts': signalTable(specs),
  'methods.ts': methodInterfaces(specs, payloads, errorCatalogue),
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await Promise.all(
  Object.entries(files).map(([name, text]) =>
    writeFile(
      `${folder}/${name}`,
      text.startsWith('// Generated') ? text : `// Generated from the contract. Do not edit.\n${text}`,
    ),
  ),
);
