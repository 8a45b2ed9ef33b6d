// The streaming checker gives the verdict, the issue and the place of the object validator, wherever a document is cut.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { examples, responses } from '../contract-examples.ts';
import { compareMany, hostileJson, inputs, mutated, words } from '../differential/inputs.ts';
import { compare } from './both-checkers.ts';

const encoder = new TextEncoder();

/** A driving response of one trip with these members. */
function trip(members: string): Uint8Array {
  return encoder.encode(
    `{"data":{"trips":[{${members},"triggerStartTime":"2026-03-02T06:41:07.000Z","tripLength":1}]},"meta":{}}`,
  );
}

const fragments = [
  ...words(String.raw`" , ] } [ { : 0 9 - . e E + n null true nul "on" "" [] {} é 😀 // NaN Infinity
    \ ' \u006f \ud800 \u12 "\u006fn" 1e400 -0 -0.0 00 01 1. .5 1E+2 1e-400 65530e-1 123456789012.5 0.12345678901234567
    150.5 150.6 150.50000000000001 150.500000000000000001 16383.5 6553.0000000000001 4.1770000000000001
    "x":1, "data":{}, "data":1, "trips":[], "meta":{}, "vin":"x", "__proto__":{}, "toString":[],`),
  ...[' ', '\n', '\t', '\u0000', '\uFEFF', '\u00a0'],
];

const styles: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
  (value) => JSON.stringify(reversed(value)),
  (value) =>
    JSON.stringify(value).replace(/[a-z](?=[a-zA-Z]*")/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
];

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([key, member]) => [key, reversed(member)]));
}

test.each(responses)('generated, spoilt and broken documents of $schema', ({ operationId, status, bodies }) => {
  const edits = fc.array(fc.record({ at: fc.nat(), cut: fc.nat({ max: 6 }), put: fc.constantFrom('', ...fragments) }), {
    maxLength: 3,
  });
  const values = mutated(fc.constantFrom(...bodies.map((body) => ({ body }))), hostileJson);
  const input = fc.tuple(values, fc.constantFrom(...styles), edits, fc.array(fc.nat(), { maxLength: 8 }));
  const numRuns = Math.ceil(inputs / 5 / responses.length);
  compareMany(input, numRuns, ([{ body = null }, style, changed, at]) => {
    let source = style(body);
    for (const { at: place, cut, put } of changed) {
      const start = place % (source.length + 1);
      source = source.slice(0, start) + put + source.slice(start + cut);
    }
    const bytes = encoder.encode(source);
    const cuts = at.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
    return compare(operationId, status, bytes, cuts, []) === -1;
  });
});

test('small documents, cut at every place and byte by byte', () => {
  const bodies = [
    ...examples.map(
      ({ operationId, status, body }) => [operationId, status, JSON.stringify(body).slice(0, 700)] as const,
    ),
    ...[
      ...words(String.raw`{ [ " "\ n nul null 1 - 1. {} [] {"data": {"a":1,} [1,] {}x {"é":"\ud800😀"}`),
      ...['', ' ', '{"a" 1}', '{} {}', '\uFEFF{}', ' \r\n\t{ "data" : { "location" : { } } , "meta" : { } } \n'],
      // A member that comes again replaces the earlier one, with what was wrong in it.
      '{"data":1,"meta":{},"data":{"location":{}}}',
      '{"data":{"location":{"heading":1e9,"latitude":1e9,"heading":1}},"meta":1,"meta":{}}',
      '{"data":{"location":{}},"data":{},"meta":{}}',
      '{"\\u0064ata":{"location":{"he\\u0061ding":1e9}},"meta":{},"d\\"ata":1}',
      '{"meta":{},"data":{"location":1},"__proto__":{},"constructor":1}',
    ].map((body) => ['getLocation', 200, body] as const),
    ['listVehicles', 200, '{"data":{"vehicles":[{"vin":"SANDB0XA000000001","nickname":1},{"vin":1},1]},"meta":{}}'],
  ] as const;
  for (const [operationId, status, body] of bodies) {
    const bytes = encoder.encode(body);
    const cuts = Array.from({ length: bytes.length + 1 }, (_, cut) => [cut]);
    compare(operationId, status, bytes, ...cuts, [...bytes.keys()]);
  }
});

test('bytes that are no UTF-8', () => {
  const document = encoder.encode('{"data":{"vehicles":[{"vin":"SANDB0XA000000001","nickname":"aé😀b"}]},"meta":{}}');
  const put = fc.uint8Array({ minLength: 1, maxLength: 4 });
  const lead = fc.tuple(fc.constantFrom(0x80, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4, 0xf5), put);
  const sequence = lead.map(([first, rest]) => Uint8Array.of(first, ...rest.map((byte) => byte | 0x80)));
  const input = fc.tuple(fc.nat({ max: document.length - 1 }), fc.oneof(put, sequence), fc.nat());
  compareMany(input, Math.ceil(inputs / 8), ([at, bytes, cut]) => {
    const spoilt = Buffer.concat([document.subarray(0, at), bytes, document.subarray(at + (cut % 3))]);
    return compare('listVehicles', 200, spoilt, [cut % spoilt.length]) === -1;
  });
});

describe('lists of numbers and choices', () => {
  const numbers = words(`
    0 -0 1 -1 5 10 99 0.0 -0.5 0.000000001 0.0000000001 12345678.9 123456789 1677721.4 1677721.5 1677721.40 1677721.41
    1677721.400000000000000001 1677721.400000000114 1677721 1677722 16383.5 16383.6 16383.500000001 16384 163835e-1 4.177 4.178 -4.177 -4.178
    4.1770 -4.1771 4.17699999999 40.95 -40.96 0.30000000000000004 1e3 1e400 1234567890 -1234567890 01 -01 00 1. - -.5
    1..5 1.5. 1a 1" --1 null "1" true [] {}`);
  const choices = words(String.raw`"on" "off" "o\u006e" "ON" "p" "d" "belted" 1 "on"" null`);

  test('in every notation, in runs, with white space', () => {
    const list = (usual: string, all: readonly string[]) => {
      const of = (values: readonly string[]) =>
        fc.array(fc.tuple(fc.constantFrom(...values), fc.nat({ max: 30 })), { minLength: 1, maxLength: 8 });
      return fc.oneof({ weight: 6, arbitrary: of(words(usual)) }, { weight: 1, arbitrary: of(all) });
    };
    const number = list('0 -0 1 3.10 4.177 1e0 0.30000000000000004 0.000000001', numbers);
    const lists = fc.tuple(
      ...[number, number, number, number],
      list('"on" "off" "o\\u006e"', choices),
      list('"p" "d" "n" "\\u0072"', choices),
    );
    const separator = fc.constantFrom(',', ', ', ',\n  ', ' ,');
    const input = fc.tuple(lists, separator, fc.array(fc.nat(), { maxLength: 4 }));
    compareMany(input, Math.ceil(inputs / 20), ([parts, between, at]) => {
      const [odometer, longitudinal, yaw, rpm, status, gear] = parts.map((items) =>
        items.flatMap(([value, times]) => Array<string>(times + 1).fill(value)).join(between),
      );
      const bytes = trip(
        `"odometer":{"value":[${odometer}]},"acceleration":{"longitudinal":[${longitudinal}]},"angularVelocity":{"yaw":[${yaw}]},` +
          `"engine":{"rpm":[${rpm}]},"ignition":{"status":[${status}]},"transmission":{"gear":[${gear}]}`,
      );
      const cuts = at.map((place) => place % bytes.length).toSorted((a, b) => a - b);
      return compare('getDrivingData', 200, bytes, cuts, []) === -1;
    });
  });

  // One list without a lower bound below zero, one with both, one that nearly reaches its bounds in one digit.
  test.each([
    { group: 'odometer', signal: 'value' },
    { group: 'acceleration', signal: 'longitudinal' },
    { group: 'angularVelocity', signal: 'yaw' },
  ])('of numbers of one shape, whichever byte changes: $group $signal', ({ group, signal }) => {
    let valid = 0;
    for (const number of words('4 -4 3.9 -3.99 40.9 -40.95 16382 16383.5 1677721.4 123456.789')) {
      const [run, rest] = [`${number},`.repeat(3), `,${number}`.repeat(9)];
      for (let at = 0; at <= number.length; at++) {
        for (const byte of '0123456789-.,/:ae]} "') {
          const changed = `${number},`.slice(0, at) + byte + `${number},`.slice(at + 1);
          const bytes = trip(`"${group}":{"${signal}":[${run}${changed}${number}${rest}]}`);
          if (compare('getDrivingData', 200, bytes, []) < 0) valid++;
        }
      }
    }
    expect(valid).toBeGreaterThan(50);
  });
});
