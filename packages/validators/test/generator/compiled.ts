// Compiles schemas and operations with the generator and loads the result, as the build does for the contract.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OperationSpec } from '@vehicle-data/openapi';
import { type JsonObject, Place } from '@vehicle-data/openapi/model';
import { expect } from 'vitest';
import { emitFiles } from '../../build/emit-files.ts';
import type { RequestValidator } from '../../src/request-validator.js';
import { DocumentChecker } from '../../src/stream/document-checker.js';
import type { ValidationIssue, ValidationOptions } from '../../src/validation-result.js';
import { createValidator } from '../../src/validator.js';
import { anything, type ValueRule } from '../../src/value-rules.js';

interface Modules {
  readonly rules: Readonly<Record<string, ValueRule>>;
  readonly operations: Readonly<Record<string, RequestValidator<unknown, ValidationOptions>>>;
}

/** One of the modules that the generator writes. */
export async function compiled<Name extends keyof Modules>(
  name: Name,
  schemas: JsonObject,
  operations: readonly OperationSpec[] = [],
): Promise<Modules[Name]> {
  const contract = Place.root({ components: { schemas } });
  const files = emitFiles({ contract, operations, types: 'export {};', timeZones: ['Europe/Oslo', 'UTC'] });
  const parent = fileURLToPath(new URL('../generated/', import.meta.url));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(`${parent}written-`);
  try {
    for (const [file, source] of Object.entries(files)) {
      writeFileSync(`${folder}/${file}`, source.replaceAll("from '../", "from '../../../src/"));
    }
    return (await import(pathToFileURL(`${folder}/${name}.ts`).href)) as Modules[Name];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The verdict of the streaming checker: the first issue, or undefined. */
export function streamedIssue(rule: ValueRule, json: string) {
  const checker = new DocumentChecker(rule);
  const bytes = new TextEncoder().encode(json);
  for (let at = 0; at < bytes.length; at += 7) checker.write(bytes.subarray(at, at + 7));
  const verdict = checker.end();
  return verdict.ok ? undefined : verdict.issues[0];
}

/** All issues of a value that JSON can hold, of which the streaming checker gives the first. */
export function issuesOf(rule: ValueRule = anything, value: unknown, words = ''): readonly ValidationIssue[] {
  const result = createValidator(rule).validate(value, { maxIssues: 1000 });
  const issues = result.ok ? [] : result.issues;
  expect(streamedIssue(rule, JSON.stringify(value)), words).toEqual(issues[0]);
  return issues;
}
