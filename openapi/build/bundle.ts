import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { JsonObject } from './place.ts';

const run = promisify(execFile);

/** Runs a command of this package. Returns its output, or fails with it. */
export async function runTool(folder: string, name: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: folder, timeout: 120_000, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const;
  try {
    return (await run(`${folder}/node_modules/.bin/${name}`, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${name} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Runs the Redocly CLI of this package. */
export function redocly(folder: string, ...args: readonly string[]): Promise<string> {
  return runTool(folder, 'redocly', ...args);
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
