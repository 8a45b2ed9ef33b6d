import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type OperationSpec, operations } from '@vehicle-data/openapi';
import type { JsonObject } from '@vehicle-data/openapi/model';
import { contract, title } from './contract.ts';
import { withPolicy } from './policy.ts';
import { baseUrl, samplesOf } from './samples.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Addresses that Redoc would load from or report to. The policy forbids them; without them, no console shows an error.
const foreignAddress =
  /https:\/\/(?:cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg|otel\.cloud\.redocly\.com\/v1\/traces|cdn\.redocly\.com\/icons\/[a-z]+\/[\d.]+)/g;

/** The contract with samples, which Redoc shows beside each operation. */
function withSamples() {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of Object.values<OperationSpec>(operations)) {
    const method = operation.method.toLowerCase();
    const samples = samplesOf(operation).map(({ label, source }) => ({ lang: label, label, source }));
    const own = contract.child('paths').child(operation.path).child(method).object();
    paths[operation.path] = { ...paths[operation.path], [method]: { ...own, 'x-codeSamples': samples } };
  }
  // The contract leaves the server open; the samples use this one.
  const servers = [{ url: baseUrl, description: 'The proxy that npm start starts.' }];
  return { ...contract.object(), servers, paths };
}

/** Builds the reference of all operations on one page with `redocly build-docs`. */
export async function buildReference(output: string): Promise<void> {
  // Redocly takes the document from a file only.
  const input = here('../.cache/reference.json');
  await Promise.all([writeFile(input, JSON.stringify(withSamples())), mkdir(dirname(output), { recursive: true })]);
  const options = ['--config', here('../reference/redocly.yaml'), '--template', here('../reference/page.hbs')];
  const args = ['build-docs', input, '--inlineBundle', ...options, '--title', title, '--output', output];
  await promisify(execFile)(here('../node_modules/.bin/redocly'), args, { timeout: 120_000, killSignal: 'SIGKILL' });
  const page = (await readFile(output, 'utf8'))
    .replace('/* theme.css */', await readFile(here('../reference/theme.css'), 'utf8'))
    .replaceAll(foreignAddress, 'data:,')
    // Redocly prerenders links for a server that knows its routes. On one page they are fragments.
    .replaceAll(/ href="\/([a-z0-9/_-]*)" data-discover="true"/g, ' href="#/$1" data-discover="true"');
  // In a file of its own, the program is read and compiled beside the main thread while the page is painted, and kept for the next visit.
  const inline = /<script type="module">\n([\s\S]*?)<\/script>/;
  const [, program] = inline.exec(page) ?? [];
  if (program === undefined) throw new Error('the page of Redocly has no module');
  await writeFile(join(dirname(output), 'redoc.js'), program.replaceAll('<\\/script', '</script'));
  const light = page.replace(inline, '<script type="module" src="redoc.js"></script>');
  // styled-components adds style elements while the page runs.
  await writeFile(output, withPolicy(light, "'self'", "style-src 'unsafe-inline'; img-src data:; font-src data:"));
}
