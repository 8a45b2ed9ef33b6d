import { readFile, writeFile } from 'node:fs/promises';
import type { JsonObject } from './place.ts';
import { run } from './run.ts';

/** Runs the Redocly CLI of this package. */
export function redocly(folder: string, ...args: readonly string[]): Promise<string> {
  return run(`${folder}/node_modules/.bin/redocly`, args, { cwd: folder });
}

/** Joins the files of the contract into one document. */
export async function bundleContract(folder: string, outFolder: string): Promise<JsonObject> {
  const file = `${outFolder}/openapi.json`;
  await redocly(folder, 'bundle', 'openapi.yaml', '--output', file);
  return JSON.parse(await readFile(file, 'utf8')) as JsonObject;
}

/** Writes the finished document as JSON and as YAML. */
export async function writeBundle(folder: string, outFolder: string, document: JsonObject): Promise<void> {
  const file = `${outFolder}/openapi.json`;
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
  await redocly(folder, 'bundle', file, '--output', `${outFolder}/openapi.yaml`);
}
