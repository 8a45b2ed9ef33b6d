// Writes the files of src/generated/ for another contract into a folder of the test's own, to be run and compiled there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OperationSpec } from '@vehicle-data/openapi';
import { type JsonObject, Place } from '@vehicle-data/openapi/model';
import { emitFiles } from '../../build/emit-files.ts';
import type { RequestValidator } from '../../src/request-validator.js';
import type { ValidationOptions } from '../../src/validation-result.js';
import type { Validator } from '../../src/validator.js';
import type { ValueRule } from '../../src/value-rules.js';
import * as contract from './small-contract.ts';

/** The sources for a contract, by file name; the small contract where nothing else is given. */
export function written(
  schemas: JsonObject = contract.schemas as JsonObject,
  operations: readonly OperationSpec[] = [contract.read, contract.drop],
): Readonly<Record<string, string>> {
  const place = Place.root({ components: { schemas } });
  const timeZones = ['Europe/Oslo', 'UTC', 'Europe/Berlin'];
  return emitFiles({ contract: place, operations, types: contract.types, timeZones });
}

/** Has a function work with a folder that holds the sources. */
async function inFolder<T>(files: Readonly<Record<string, string>>, use: (folder: string) => T | Promise<T>) {
  const parent = fileURLToPath(new URL('../generated/', import.meta.url));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(`${parent}written-`);
  try {
    for (const [name, source] of Object.entries(files)) {
      writeFileSync(`${folder}/${name}`, source.replaceAll("from '../", "from '../../../src/"));
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Modules {
  readonly rules: Readonly<Record<string, ValueRule>>;
  readonly schemas: Readonly<Record<string, Validator<unknown> & ((value: unknown) => boolean)>>;
  readonly operations: Readonly<
    Record<string, RequestValidator<unknown, ValidationOptions & Readonly<Record<string, unknown>>>>
  >;
  readonly 'response-rules': { readonly responseRules: Readonly<Record<string, Readonly<Record<string, ValueRule>>>> };
  readonly 'time-zone-list': { readonly timeZoneList: string };
}

/** Runs one of the sources. */
export async function run<Name extends keyof Modules>(name: Name, files = written()): Promise<Modules[Name]> {
  return inFolder(files, async (folder) => (await import(pathToFileURL(`${folder}/${name}.ts`).href)) as Modules[Name]);
}

/** What the compiler has to say, under the settings of this package, about the sources and a file that uses them. */
export async function complaints(files: Readonly<Record<string, string>>, use = 'export {};'): Promise<string> {
  // The real folder: a copy of this package, as mutation testing makes, has no neighbours.
  const modules = realpathSync(fileURLToPath(new URL('../../node_modules', import.meta.url)));
  const settings = JSON.stringify({ extends: `${modules}/../tsconfig.json`, include: ['.'] });
  return inFolder({ ...files, 'use.ts': use, 'tsconfig.json': settings }, (folder) => {
    try {
      execFileSync(`${modules}/.bin/tsc`, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (error) {
      return (error as { readonly stdout: string }).stdout;
    }
  });
}
