// Compiles a schema with the generator and loads the result, as the build does for the contract.
import type { JsonObject } from '@vehicle-data/openapi/model';
import { expect } from 'vitest';
import { DocumentChecker } from '../../src/stream/document-checker.js';
import { createValidator } from '../../src/validator.js';
import { anything, type ValueRule } from '../../src/value-rules.js';
import { run, written } from './written-files.ts';

/** The verdict of the streaming checker: the first issue, or undefined. */
export function streamedIssue(rule: ValueRule, json: string, pieceBytes = 7) {
  const checker = new DocumentChecker(rule);
  const bytes = new TextEncoder().encode(json);
  for (let at = 0; at < bytes.length; at += pieceBytes) checker.write(bytes.subarray(at, at + pieceBytes));
  const verdict = checker.end();
  return verdict.ok ? undefined : verdict.issues[0];
}

/** Compiles component schemas and gives a function that lists what is wrong with a value: `pointer rule`. */
export async function compile(schemas: JsonObject, name = 'Subject') {
  const files = written(schemas, []);
  const { [`rule${name}`]: rule = anything } = await run('rules', files);
  const { validate } = createValidator(rule);
  const issuesOf = (value: unknown) => {
    const result = validate(value, { maxIssues: 100 });
    const issues = result.ok ? [] : result.issues;
    // The streaming checker says the same about what JSON can hold.
    const json = JSON.stringify(value);
    const parsed: unknown = json === undefined ? undefined : JSON.parse(json);
    const again = validate(parsed);
    if (json !== undefined) expect(streamedIssue(rule, json), json).toEqual(again.ok ? undefined : again.issues[0]);
    return issues;
  };
  return {
    source: files['rules.ts'] ?? '',
    issuesOf,
    faults: (value: unknown) => issuesOf(value).map(({ pointer, rule: name }) => `${pointer} ${name}`),
  };
}
