// Builds everything that is made from the contract: bundles, types, operation table and error catalogue. `npm run dev` builds first with
// `--for-requests` what an app needs to respond, and the rest, for editors and docs, with `--rest` once it responds.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { jsonpointer } from 'json-p3';
import type { OpenAPI3 } from 'openapi-typescript';
import { stringify } from 'yaml';
import type { ErrorEntry } from '../src/contract.ts';
import { bundleContract } from './bundle.ts';
import { readErrorCatalogue } from './error-catalogue.ts';
import { addErrorResponses } from './error-responses.ts';
import { readEvents } from './event-table.ts';
import { writeGenerated } from './generated-files.ts';
import { schemasOf } from './model.ts';
import { readOperations } from './operation-table.ts';
import { applyOverlay, overlayIn } from './overlay.ts';
import { type JsonObject, Place } from './place.ts';
import { run } from './run.ts';
import { locateIn } from './source-files.ts';
import { readVssNames } from './vss-names.ts';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const dist = `${folder}/dist`;
const isForRequests = process.argv.includes('--for-requests');
// Files that an app has open stay where they are.
const keepsOthers = isForRequests || process.argv.includes('--rest');

async function build() {
  if (!keepsOthers) await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });

  const published = await bundleContract(folder);
  const overlay = overlayIn(folder);
  const changed = overlay ? applyOverlay(published, overlay) : published;
  const locateSource = locateIn(folder);
  const locate = (pointer: string) =>
    isDeepStrictEqual(
      jsonpointer.resolve(pointer, changed as never, null),
      jsonpointer.resolve(pointer, published as never, null),
    )
      ? locateSource(pointer)
      : `openapi/overlay.yaml changes #${pointer}`;
  const bundle = Place.root(changed, locate);
  const source = Place.root(addParameterExamples(bundle), locate);
  const catalogue = readErrorCatalogue(source, readOperations(source));
  const document = addErrorResponses(source, catalogue);
  await writeFile(`${dist}/openapi.json`, `${JSON.stringify(document, null, 2)}\n`);
  if (!isForRequests) {
    // Readers of YAML 1.1 take times and words like `on` for more than texts, where they stand without quotes.
    const asYaml = stringify(document, {
      version: '1.1',
      aliasDuplicateObjects: false,
      lineWidth: 0,
      singleQuote: true,
    });
    await writeFile(`${dist}/openapi.yaml`, asYaml);
  }
  await copyFile(`${folder}/vehicle-data.vspec`, `${dist}/vehicle-data.vspec`);
  const root = Place.root(document, locate);
  const version = root.child('info').child('version');
  const manifest = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as { version: string };
  if (version.string() !== manifest.version) {
    version.fail(`must equal the package version ${manifest.version}; run "node build/stamp-version.ts"`);
  }
  const operations = readOperations(root);
  const errors = catalogue.map(({ headers: _, details: __, ...entry }): ErrorEntry => entry);
  readEvents(root);
  const schemaNames = schemasOf(root).map(([name]) => name);

  const types = isForRequests ? undefined : await typesOf(document);
  return {
    ...(types !== undefined && { 'types.ts': types }),
    'schemas.ts': [
      "import type { components } from './types.js';",
      ...schemaNames.map((name) => `export type ${name} = components['schemas']['${name}'];`),
    ].join('\n'),
    'operations.ts': [
      "import type { OperationSpec } from '../contract.js';",
      '/** Version of the contract from which this package was made. */',
      `export const contractVersion = ${JSON.stringify(version.string())};`,
      '/** Which identifiers of a client are kept as `X-Request-Id`: a regular expression. */',
      `export const requestIdPattern = ${JSON.stringify(requestIdPattern(root))};`,
      '/** Every operation of the contract by its operationId. */',
      `export const operations = ${JSON.stringify(Object.fromEntries(operations.map((operation) => [operation.operationId, operation])), null, 2)} as const satisfies Readonly<Record<string, OperationSpec>>;`,
      '/** The operationIds of the contract. */',
      'export type OperationId = keyof typeof operations;',
    ].join('\n'),
    'vss.ts': [
      "import type { VssNames } from '../contract.js';",
      '/** Where each signal goes in the COVESA Vehicle Signal Specification. */',
      `export const vssNames = ${JSON.stringify(readVssNames(root, operations), null, 2)} as const satisfies VssNames;`,
    ].join('\n'),
    'errors.ts': [
      "import type { ErrorEntry } from '../contract.js';",
      "/** Every error code that a client can meet: stated by the interface, seen on live services, or the proxy's own. */",
      `export const errorCatalogue = ${JSON.stringify(errors, null, 2)} as const satisfies readonly ErrorEntry[];`,
      '/** The error codes of the catalogue. Services may send others. */',
      "export type ErrorCode = (typeof errorCatalogue)[number]['code'];",
    ].join('\n'),
  };
}

async function typesOf(document: object): Promise<string> {
  // It brings a compiler of its own, which takes as long to load as all else to do. To find out that this is no ES module, Node would parse
  // its nine megabytes once more.
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      return specifier === 'typescript' ? { ...resolved, format: 'commonjs' } : resolved;
    },
  });
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  return astToString(await openapiTypescript(structuredClone(document) as OpenAPI3, { silent: true }));
}

/** The rule of the header that names a call, which proxy and sandbox follow. */
function requestIdPattern(root: Place): string {
  const schema = root.child('components').child('headers').child('XRequestId').child('schema');
  return schema.shaped('type pattern', 'examples').child('pattern').string();
}

/** Gives every parameter the first example of its schema, which tools for people show and tools for calls fill in. */
function addParameterExamples(root: Place): JsonObject {
  const components = root.child('components');
  const parameters = components.child('parameters').entries();
  const shown = parameters.map(([name, parameter]) => {
    const [example] = parameter.child('schema').resolved('schemas').child('examples').items();
    return [name, { ...parameter.object(), example: parameter.optional('example')?.value ?? example?.value ?? null }];
  });
  return { ...root.object(), components: { ...components.object(), parameters: Object.fromEntries(shown) } };
}

await writeGenerated(new URL('../src/generated/', import.meta.url), build, { keepsOthers });
// The compiler of the workspace: that of this package, which openapi-typescript needs, takes seven times as long.
if (!isForRequests)
  await run(`${folder}/../node_modules/.bin/tsc`, ['--singleThreaded', '-p', 'tsconfig.build.json'], { cwd: folder });
