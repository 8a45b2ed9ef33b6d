import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OperationSpec } from '@vehicle-data/openapi';
import { bundleFile, type Contract } from './contract.ts';
import { withPolicy } from './policy.ts';
import { baseUrl, samplesOf } from './samples.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Addresses that Redoc would load from or report to. The policy forbids them; without them, no console shows an error.
const foreignAddresses = [
  'https://cdn.redoc.ly/redoc/logo-mini-full.svg',
  'https://cdn.redoc.ly/redoc/logo-mini.svg',
  'https://otel.cloud.redocly.com/v1/traces',
  'https://cdn.redocly.com/icons/fa/7.0.0',
  'https://cdn.redocly.com/icons/code/5.24.0',
];

/** Builds the reference of all operations on one page with `redocly build-docs`. */
export async function buildReference(
  output: string,
  contract: Contract,
  operations: readonly OperationSpec[],
): Promise<void> {
  // Redocly takes the document from a file only.
  const input = here('../.cache/reference.json');
  const bundle = JSON.parse(await readFile(bundleFile('json'), 'utf8')) as ReferenceDocument;
  for (const operation of operations) {
    const place = bundle.paths[operation.path]?.[operation.method.toLowerCase()];
    if (!place) throw new Error(`${operation.operationId} is not in the bundle`);
    place['x-codeSamples'] = samplesOf(operation, contract).map(({ label, source }) => ({
      lang: label,
      label,
      source,
    }));
  }
  bundle.servers = [{ url: baseUrl }];
  delete bundle.info['contact'];
  await Promise.all([writeFile(input, JSON.stringify(bundle)), mkdir(dirname(output), { recursive: true })]);
  const options = ['--config', here('../reference/redocly.yaml'), '--template', here('../reference/page.hbs')];
  const args = ['build-docs', input, '--inlineBundle', ...options, '--title', contract.info.title, '--output', output];
  await promisify(execFile)(here('../node_modules/.bin/redocly'), args, { timeout: 120_000, killSignal: 'SIGKILL' });
  await writeFile(output, seal(await readFile(output, 'utf8'), await readFile(here('../reference/theme.css'), 'utf8')));
}

interface ReferenceDocument {
  servers: unknown;
  readonly info: Record<string, unknown>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;
}

/** Removes foreign addresses and adds a policy that allows the page's own scripts only. */
function seal(page: string, css: string): string {
  let text = page.replace('/* theme.css */', () => css);
  for (const address of foreignAddresses) text = text.replaceAll(address, 'data:,');
  // Redocly prerenders links for a server that knows its routes. On one page they are fragments.
  text = text.replaceAll(/ href="\/([a-z0-9/_-]*)" data-discover="true"/g, ' href="#/$1" data-discover="true"');
  // styled-components adds style elements while the page runs.
  return withPolicy(text, { 'style-src': "'unsafe-inline'", 'img-src': 'data:', 'font-src': 'data:' });
}
