// Builds everything that is made from the contract: bundles, types, operation table, error catalogue and docs page.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleContract, ContractError } from './bundle.ts';
import { buildDocs } from './docs/build-docs.ts';
import { readErrorCatalogue } from './error-catalogue.ts';
import { readOperations } from './operation-table.ts';
import { Place } from './reader.ts';
import { typesOf } from './types.ts';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const dist = `${folder}/dist`;
const generated = `${folder}/src/generated`;

async function build(): Promise<void> {
  await Promise.all([dist, generated].map((path) => rm(path, { recursive: true, force: true })));
  await Promise.all([dist, generated].map((path) => mkdir(path, { recursive: true })));

  const document = await bundleContract(folder, dist);
  const root = Place.root(document);
  const version = root.child('info').child('version');
  const manifest = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as { version: string };
  if (version.string() !== manifest.version) {
    version.fail(`must equal the package version ${manifest.version}; run "node build/stamp-version.ts"`);
  }
  const operations = readOperations(root);
  const errors = readErrorCatalogue(root);
  const schemaNames = root
    .child('components')
    .child('schemas')
    .entries()
    .map(([name]) => name);

  const source = (lines: readonly string[]) => `// Generated from the contract. Do not edit.\n${lines.join('\n')}\n`;
  const files: Readonly<Record<string, string>> = {
    'types.ts': source([await typesOf(document)]),
    'schemas.ts': source([
      "import type { components } from './types.js';",
      ...schemaNames.map((name) => `export type ${name} = components['schemas']['${name}'];`),
    ]),
    'operations.ts': source([
      "import type { OperationSpec } from '../contract.js';",
      '/** Version of the contract from which this package was made. */',
      `export const contractVersion = ${JSON.stringify(version.string())};`,
      '/** Every operation of the contract by its operationId. */',
      `export const operations = ${JSON.stringify(Object.fromEntries(operations.map((operation) => [operation.operationId, operation])), null, 2)} as const satisfies Readonly<Record<string, OperationSpec>>;`,
      '/** The operationIds of the contract. */',
      'export type OperationId = keyof typeof operations;',
    ]),
    'errors.ts': source([
      "import type { ErrorEntry } from '../contract.js';",
      "/** Every error code that a caller can meet: stated by the interface, seen on live services, or the proxy's own. */",
      `export const errorCatalogue = ${JSON.stringify(errors, null, 2)} as const satisfies readonly ErrorEntry[];`,
      '/** The error codes of the catalogue. Services may send others. */',
      "export type ErrorCode = (typeof errorCatalogue)[number]['code'];",
    ]),
  };
  const compiled = async () => {
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(`${generated}/${name}`, text)));
    await promisify(execFile)(`${folder}/node_modules/.bin/tsc`, ['-p', 'tsconfig.build.json'], { cwd: folder }).catch(
      (error: { stdout: string }) => {
        throw new Error(`tsc failed:\n${error.stdout}`, { cause: error });
      },
    );
  };
  await Promise.all([compiled(), buildDocs({ folder, dist, document, operations, errors })]);
}

try {
  await build();
} catch (error) {
  console.error(error instanceof ContractError ? error.message : error);
  process.exitCode = 1;
}
