import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Any JSON value, as it stands in the bundle. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Runs the Redocly CLI of this package and fails with what it printed. */
export async function redocly(folder: string, ...args: readonly string[]): Promise<void> {
  try {
    await run(`${folder}/node_modules/.bin/redocly`, [...args], {
      cwd: folder,
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`redocly ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** Joins the contract's files into one document, as JSON and as YAML, and returns it. */
export async function bundleContract(folder: string, outFolder: string): Promise<JsonObject> {
  await Promise.all(
    ['json', 'yaml'].map((extension) =>
      redocly(folder, 'bundle', 'openapi.yaml', '--output', `${outFolder}/openapi.${extension}`),
    ),
  );
  return JSON.parse(await readFile(`${outFolder}/openapi.json`, 'utf8')) as JsonObject;
}

/** Adds one reference token to a JSON Pointer (RFC 6901, section 3). */
export function pointerTo(pointer: string, ...tokens: readonly string[]): string {
  return tokens.reduce((at, token) => `${at}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`, pointer);
}

/** The file under `openapi/` and the pointer inside it from which a place of the bundle was made. */
export function sourceOf(pointer: string): string {
  const [, section, first, second, ...rest] = pointer.split('/');
  const inside = (tokens: readonly string[]) => (tokens.length > 0 ? `#/${tokens.join('/')}` : '');
  if (section === 'components' && second !== undefined) return `components/${first}/${second}.yaml${inside(rest)}`;
  if (section === 'paths' && first !== undefined) {
    const file = first.replaceAll('~1', '/').replace(/^\//, '').replaceAll('/', '_');
    return `paths/${file}.yaml${inside(second === undefined ? [] : [second, ...rest])}`;
  }
  if (section === 'x-error-catalogue')
    return `errors.yaml${inside(first === undefined ? [] : [first, ...(second === undefined ? [] : [second]), ...rest])}`;
  return `openapi.yaml#${pointer}`;
}

/** A construct of the contract that the generator does not understand. It stops the build; nothing is guessed. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  constructor(pointer: string, reason: string) {
    super(`openapi/${sourceOf(pointer)}: ${reason}`);
  }
}
