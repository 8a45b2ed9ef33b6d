// Compiles a schema with the generator and loads the result, as the build does for the contract.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ContractPlace, type Json } from '../../build/contract-place.ts';
import { CheckEmitter } from '../../build/emit-checks.ts';
import { ScalarEmitter } from '../../build/emit-scalars.ts';
import { readSchemas } from '../../build/schema-model.ts';
import type { Check } from '../../src/findings.js';
import { run, startFindings } from '../../src/findings.js';

/** Reads component schemas as the generator does. */
export function read(schemas: Json) {
  return readSchemas(new ContractPlace(schemas, 'contract.json', '/components/schemas'));
}

/** Compiles component schemas and gives a function that lists what is wrong with a value: `pointer rule`. */
export async function compile(schemas: Json, name = 'Subject') {
  const scalars = new ScalarEmitter();
  const checks = new CheckEmitter(read(schemas), scalars).emit();
  const parent = fileURLToPath(new URL('../generated/', import.meta.url));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(`${parent}compiled-`);
  const source = [
    "import type { Findings } from '../../../src/findings.js';",
    "import { choice, each, isGroup, isList, isThere, notType, number, text, truth, within } from '../../../src/value-checks.js';",
    "import type { TextRule } from '../../../src/value-checks.js';",
    scalars.preamble().replaceAll("from '../", "from '../../../src/"),
    checks,
  ].join('\n');
  writeFileSync(`${folder}/checks.ts`, source);
  try {
    const module = (await import(pathToFileURL(`${folder}/checks.ts`).href)) as Readonly<Record<string, Check>>;
    const check = module[`check${name}`] as Check;
    const issuesOf = (value: unknown) => {
      const result = run(startFindings('body', { maxIssues: 100 }), check, value, value);
      return result.ok ? [] : result.issues;
    };
    return {
      source,
      issuesOf,
      faults: (value: unknown) => issuesOf(value).map(({ pointer, rule }) => `${pointer} ${rule}`),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
