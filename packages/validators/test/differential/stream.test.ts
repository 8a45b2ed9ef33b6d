import { operations } from '@vehicle-data/openapi';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../src/stream.js';
import { examples } from '../contract-examples.ts';
import { compare, streamed } from '../stream/both-checkers.ts';
import { compareMany, inputs } from './comparison.ts';
import { hostileJson, mutated, mutations, validValues } from './schema-values.ts';

/** One document for every five values: each is compared whole and in pieces. */
const documents = Math.ceil(inputs / 5);
const responses = Object.values(operations).flatMap(({ operationId, responses }) =>
  Object.entries(responses)
    .filter(([status]) => status === '200' || status === '400')
    .map(([status, schema]) => ({ operationId: operationId as OperationId, status: Number(status), schema })),
);

const encoder = new TextEncoder();
const fragments = [
  ...'" , ] } [ { : 0 9 - . e E + n null true nul "on" "" [] {} é 😀 // NaN Infinity'.split(' '),
  ...String.raw`\ ' \u006f \ud800 \u12 "\u006fn"`.split(' '),
  ...'1e400 -0 -0.0 00 01 1. .5 1E+2 1e-400 65530e-1 123456789012.5 0.12345678901234567 -3.3333333333333335'.split(' '),
  ...'150.5 150.6 150.50000000000001 150.500000000000000001 16383.5 6553.0000000000001 6552.99999999999999'.split(' '),
  ...'4.1770000000000001 -4.17700000000000001'.split(' '),
  ...'"x":1, "data":{}, "data":1, "trips":[], "meta":{}, "vin":"x", "__proto__":{},'.split(' '),
  ...[' ', '\n', '\t', '\u0000', '\uFEFF'],
];

function text(value: unknown, style: number): string {
  if (style === 1) return JSON.stringify(value, null, 2);
  if (style === 2) return JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n');
  if (style === 3) return JSON.stringify(reversed(value));
  if (style === 4)
    return JSON.stringify(value).replace(
      /[a-z](?=[a-zA-Z]*")/g,
      (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
    );
  return JSON.stringify(value);
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe('the streaming checker', () => {
  test('gives the verdict and the issue of the object validator for every split of small documents in two', () => {
    const broken = [
      ...String.raw`{ [ " "\ n nul null 1 - 1. {} [] {"data": {"a":1,} [1,] {}x {"é":"\ud800😀"}`.split(' '),
      ...['', ' ', '{"a" 1}', '{} {}', '\uFEFF{}'],
    ];
    const small = examples.map(({ operationId, status, body }) => ({
      operationId,
      status,
      body: JSON.stringify(body).slice(0, 700),
    }));
    const all = [...small, ...broken.map((body) => ({ operationId: 'getLocation' as const, status: 200, body }))];
    for (const { operationId, status, body } of all) {
      const bytes = encoder.encode(body);
      const offsets = new Set<number>();
      for (let cut = 0; cut <= bytes.length; cut++) offsets.add(compare(operationId, status, bytes, [cut]));
      offsets.add(compare(operationId, status, bytes, [...bytes.keys()]));
      expect(offsets.size).toBe(1);
    }
  });

  test.for(responses)(
    'gives them for generated, mutated and broken documents of $operationId $status',
    ({ operationId, status, schema }) => {
      const edits = fc.array(
        fc.record({ at: fc.nat(), cut: fc.nat({ max: 6 }), put: fc.constantFrom('', ...fragments) }),
        { maxLength: 3 },
      );
      const input = fc.tuple(
        validValues(schema),
        mutations(hostileJson),
        fc.nat({ max: 4 }),
        edits,
        fc.array(fc.nat(), { maxLength: 8 }),
      );
      const numRuns = Math.ceil(documents / responses.length);
      const valid = compareMany(input, numRuns, ([value, changes, style, changed, at]) => {
        let source = text(mutated(value, changes), style);
        for (const { at: place, cut, put } of changed) {
          const start = place % (source.length + 1);
          source = source.slice(0, start) + put + source.slice(start + cut);
        }
        const bytes = encoder.encode(source);
        const cuts = at.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
        return compare(operationId, status, bytes, cuts, []) === -1;
      });
      expect(valid).toBeGreaterThan(0);
    },
  );

  test('gives them for bytes that are no UTF-8', () => {
    const document = encoder.encode('{"data":{"vehicles":[{"vin":"SANDB0XA000000001","nickname":"aé😀b"}]},"meta":{}}');
    const input = fc.tuple(
      fc.nat({ max: document.length - 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      fc.nat(),
    );
    const valid = compareMany(input, Math.ceil(inputs / 12), ([at, put, cut]) => {
      const bytes = document.slice();
      bytes.set(put.subarray(0, bytes.length - at), at);
      return compare('listVehicles', 200, bytes, [cut % bytes.length]) === -1;
    });
    expect(valid).toBeGreaterThan(0);
  });

  test('gives them for long lists of numbers and choices in every notation', () => {
    const numbers = [
      ...'0 -0 1 -1 1e3 12345678.9 0.000000001 123456789 1234567890 40.95 -40.96 0.30000000000000004 16383.5 1e400'.split(
        ' ',
      ),
      ...'1677721.4 1677721.5 1677721.40 1677721.400000000000000001 1677721.4000000001 -4.177 -4.1770 -4.1771'.split(
        ' ',
      ),
      ...'4.17699999999 4.177000000000000000000000000000000000000000001 01 1. - "1" null'.split(' '),
    ];
    const choices = ['"on" ', '" on"', ...String.raw`"on" "off" "o\u006e" "ON" "p" "d" "belted" 1 "on ""`.split(' ')];
    const list = (usual: readonly string[], all: readonly string[]) => {
      const of = (values: readonly string[]) =>
        fc.array(fc.tuple(fc.constantFrom(...values), fc.nat({ max: 30 })), { minLength: 1, maxLength: 8 });
      return fc.oneof({ weight: 6, arbitrary: of(usual) }, { weight: 1, arbitrary: of(all) });
    };
    const number = list(['0', '-0', '1', '3.10', '4.177', '1e0', '0.30000000000000004', '0.000000001'], numbers);
    const state = list(['"on"', '"off"', '"o\\u006e"'], choices);
    const gear = list(['"p"', '"d"', '"n"', '"\\u0072"'], choices);
    const separator = fc.constantFrom(',', ', ', ',\n  ', ' ,');
    const cut = fc.array(fc.nat(), { maxLength: 4 });
    const write = (parts: readonly (readonly [string, number])[], between: string) =>
      parts.flatMap(([value, times]) => Array<string>(times + 1).fill(value)).join(between);
    const input = fc.tuple(fc.tuple(number, number, number, state, gear), separator, cut);
    const valid = compareMany(input, Math.ceil(inputs / 30), ([lists, between, at]) => {
      const [odometer, longitudinal, yaw, status, gears] = lists.map((parts) => `[${write(parts, between)}]`);
      const signals = `"odometer":{"value":${odometer}},"acceleration":{"longitudinal":${longitudinal}},"angularVelocity":{"yaw":${yaw}},"ignition":{"status":${status}},"transmission":{"gear":${gears}}`;
      const bytes = encoder.encode(
        `{"data":{"trips":[{"triggerStartTime":"2026-03-02T06:41:07.000Z","tripLength":1,${signals}}]},"meta":{}}`,
      );
      const cuts = at.map((place) => place % bytes.length).toSorted((a, b) => a - b);
      return compare('getDrivingData', 200, bytes, cuts, []) === -1;
    });
    expect(valid).toBeGreaterThan(0);
  });

  test('follows a million levels of unknown members, and no more', () => {
    const deep = (levels: number) =>
      encoder.encode(`{"data":{"location":{}},"meta":{},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    for (const cuts of [[], [1000]]) {
      expect(streamed('getLocation', 200, deep(2 ** 20), cuts).verdict).toEqual({ ok: true });
      expect(streamed('getLocation', 200, deep(2 ** 20 + 1), cuts).verdict).toMatchObject({
        ok: false,
        issues: [{ rule: 'json', message: 'the value is nested too deeply' }],
        byteOffset: 38 + 2 ** 20,
      });
    }
  });
});
