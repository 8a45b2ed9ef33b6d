import { type OperationSpec, operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { test } from 'vitest';
import { type OperationId, validateRequest, validateResponse } from '../../src/index.js';
import { contract, responses } from '../contract-examples.ts';
import { agree } from '../stream/both-checkers.ts';
import { ajvReference, ajvRequestReference } from './ajv-reference.ts';
import { compareMany, hostileJson, hostileOther, inputs, mutated } from './inputs.ts';

const table: readonly OperationSpec[] = Object.values(operations);

/** Days near each other and near the ends of months, and some that do not exist. */
const days = Array.from({ length: 15 }, (_, day) => new Date(Date.UTC(2024, 1, 22 + day)).toISOString().slice(0, 10))
  .map((day) => day.replaceAll('-', ''))
  .concat('20240230', '20230229', '20240200');
const texts = fc.oneof(
  fc.constantFrom(
    ...'x UTC utc Etc/GMT+1 Europe/Berlin Europe%2FBerlin PST +01:00 brand_a Brand_a SANDB0XA000000001'.split(' '),
    ...'SANDB0XA00000000É 😀 % & = + # ? .. __proto__ 2024-02-29 2024022９'.split(' '),
    ...['', 'Etc/GMT 1', '\u0000', ' 20240229'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/** The values of the parameters of one place, mostly valid, with some left out, replaced or added. */
function values(operation: OperationSpec, where: 'path' | 'query' | 'header'): fc.Arbitrary<Record<string, string>> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === where);
  const requiredKeys = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const model = Object.fromEntries(
    parameters.map(({ name, schema, rule }) => {
      const examples = contract.child('components').child('schemas').child(schema).child('examples').items();
      const valid = rule.enum ?? examples.map((example) => example.string());
      return [name, fc.constantFrom(...(rule.format === 'basic-date' ? days : valid))];
    }),
  );
  const whole = fc.record(model, { requiredKeys, noNullPrototype: true });
  return fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: mutated(whole, texts) });
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

test.each(table)(
  'a request is judged as ajv and the calendar of JavaScript do, in every form of the query: $operationId',
  (operation) => {
    const ajv = ajvRequestReference(operation);
    const id = operation.operationId as OperationId;
    const parts = fc.tuple(values(operation, 'path'), values(operation, 'query'), values(operation, 'header'));
    const numRuns = Math.ceil(inputs / 10 / table.length);
    compareMany(parts, numRuns, ([path, query, headers]) => {
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
  },
);

test.each(responses)(
  'the check of a response gives the verdict of ajv, finds every place, and never throws: $schema',
  ({ operationId, status, schema, bodies }) => {
    const ajv = ajvReference(schema);
    const hostile = fc.oneof({ weight: 3, arbitrary: hostileJson }, { weight: 1, arbitrary: hostileOther });
    const input = mutated(fc.constantFrom(...bodies.map((body) => ({ body }))), hostile);
    compareMany(input, Math.ceil(inputs / responses.length), ({ body }) => {
      const ours = validateResponse(operationId, status, body, { maxIssues: 1000 });
      const { valid, places } = ajv(body);
      agree(ours.ok, valid, 'the verdict of ajv');
      const found = new Set(ours.ok ? [] : ours.issues.map(({ pointer }) => pointer));
      for (const place of found) agree(places.has(place), true, `whether ajv complains about ${place}`);
      agree(found.size, places.size, 'how many places are complained about');
      return ours.ok;
    });
  },
);
