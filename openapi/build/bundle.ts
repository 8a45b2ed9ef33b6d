import type { JsonObject } from './place.ts';
import { run } from './run.ts';

/** Runs the Redocly CLI of this package. */
export function redocly(folder: string, ...args: readonly string[]): Promise<string> {
  return run(`${folder}/node_modules/.bin/redocly`, args, { cwd: folder });
}

/** Joins the files of the contract into one document. */
export async function bundleContract(folder: string): Promise<JsonObject> {
  return JSON.parse(await redocly(folder, 'bundle', 'openapi.yaml', '--ext', 'json')) as JsonObject;
}
