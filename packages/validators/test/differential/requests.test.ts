import { type OperationSpec, operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type OperationId, validateRequest } from '../../src/index.js';
import { agree } from '../stream/both-checkers.ts';
import { ajvRequestReference } from './ajv-reference.ts';
import { compareMany, inputs, valuesOf } from './values.ts';

const table: readonly OperationSpec[] = Object.values(operations);

/** Days near each other and near the ends of months, and texts that are no days. */
const days = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .integer({ min: 0, max: 14 })
      .map((day) => new Date(Date.UTC(2024, 1, 22) + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('20240230', '20230229', '2024-02-29', '20240200', ' 20240229', '2024022９', '0'),
  },
);
const texts = fc.oneof(
  fc.constantFrom(
    ...'x UTC utc Etc/GMT+1 Europe/Berlin Europe%2FBerlin PST +01:00 brand_a Brand_a SANDB0XA000000001'.split(' '),
    ...'SANDB0XA00000000É 😀 % & = + # ? .. __proto__'.split(' '),
    ...['', 'Etc/GMT 1', '\u0000'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/** The values of the parameters of one place, mostly valid, with some left out, replaced or added. */
function values(operation: OperationSpec, where: 'path' | 'query' | 'header'): fc.Arbitrary<Record<string, string>> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === where);
  const model = Object.fromEntries(
    parameters.map(({ name, schema, rule }) => {
      const valid = rule.format === 'basic-date' ? days : (valuesOf(schema) as fc.Arbitrary<string>);
      return [name, fc.oneof({ weight: 12, arbitrary: valid }, { weight: 1, arbitrary: texts })];
    }),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const whole = fc.record(model, { requiredKeys: required, noNullPrototype: true });
  const partial = fc.record(model, { requiredKeys: [], noNullPrototype: true });
  const names = fc.constantFrom('Vin', 'startdate', 'zone', '__proto__', 'constructor', 'a b', 'é', 'more');
  const extra = fc.tuple(whole, names, texts).map(([record, name, value]) => {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true });
    return record;
  });
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 1, arbitrary: partial },
    { weight: 1, arbitrary: extra },
  ) as fc.Arbitrary<Record<string, string>>;
}

/** The rules that JSON Schema cannot say, decided another way than in the package. */
function extraRulesHold(
  { dateRange, parameters }: OperationSpec,
  parts: Readonly<Record<'path' | 'query' | 'header', Readonly<Record<string, string>>>>,
): boolean {
  if (parameters.some(({ name, in: where }) => Object.hasOwn(parts[where], name) && parts[where][name] === ''))
    return false;
  if (!dateRange) return true;
  const time = (name: string) =>
    Date.parse((parts.query[name] ?? '').replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3T00:00:00Z'));
  const distance = (time(dateRange.end) - time(dateRange.start)) / 86_400_000;
  return distance >= 0 && distance <= dateRange.maxDays;
}

describe.each(table)('the request of $operationId', (operation) => {
  const ajv = ajvRequestReference(operation);
  const id = operation.operationId as OperationId;

  test('is judged as ajv and the calendar of JavaScript do, in every form of the query', () => {
    const parts = fc.tuple(values(operation, 'path'), values(operation, 'query'), values(operation, 'header'));
    const numRuns = Math.max(200, Math.ceil(inputs / 20 / table.length));
    const valid = compareMany(parts, numRuns, ([path, query, headers]) => {
      const wanted = ajv({ path, query, headers }).valid && extraRulesHold(operation, { path, query, header: headers });
      const text = Object.entries(query)
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
        .join('&');
      const forms = [query, text, `?${text}`, new URLSearchParams(Object.entries(query))].slice(0, text === '' ? 2 : 4);
      for (const form of forms) {
        agree(validateRequest(id, { path, headers, query: form }).ok, wanted, 'the verdict of ajv and the calendar');
      }
      const result = validateRequest(id, { path, headers, query }, { maxIssues: 50 });
      agree(result.ok, wanted, 'the verdict of ajv and the calendar, with all issues');
      if (result.ok) {
        const checked = result.value.query as Readonly<Record<string, unknown>>;
        for (const [name, value] of Object.entries(query)) agree(checked[name], value, `the value of ${name}`);
      } else for (const { message } of result.issues) agree(message === '', false, 'whether a message is empty');
      return result.ok;
    });
    expect(valid).toBeGreaterThan(0);
  });
});
