// The kernel on its own, on random lists; kernel.test.ts has what needs no chance.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findKernel, kernelBytes } from '../../src/stream/kernel.js';
import { numberRange } from '../../src/stream/number-range.js';
import { streamed } from './both-checkers.ts';

const encoder = new TextEncoder();
const ranges = {
  'of a signal around zero': { integer: false, minimum: -4.177, maximum: 4.177 },
  'of a signal from zero': { integer: false, minimum: 0, maximum: 16383.5 },
  'of whole numbers': { integer: true, minimum: -12, maximum: 999 },
  'of any size': { integer: false, minimum: undefined, maximum: undefined },
  'that leaves out zero': { integer: false, minimum: 1, maximum: 2 },
};
type Range = (typeof ranges)[keyof typeof ranges];

const grammar = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

function kernelOrFail() {
  const kernel = findKernel();
  if (!kernel) throw new Error('this runtime has no WebAssembly with SIMD');
  return kernel;
}

/** What the kernel passes of a text that follows the opening bracket of a list. */
function passed(text: string, range: Range) {
  const kernel = kernelOrFail();
  const bytes = encoder.encode(text);
  // What an earlier piece has left behind must not matter.
  kernel.bytes.fill(0x35);
  kernel.bytes.set(bytes, 3);
  const end = 3 + bytes.length;
  const at = kernel.numbers(3, end, numberRange(range.integer, range.minimum, range.maximum));
  return { items: kernel.items(), text: new TextDecoder().decode(bytes.subarray(0, at - 3)) };
}

function isValid(item: string, { integer, minimum = -Infinity, maximum = Infinity }: Range) {
  const value = Number(item);
  return grammar.test(item) && (!integer || !item.includes('.')) && value >= minimum && value <= maximum;
}

const odd = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    ...[
      '',
      '-',
      '00',
      '01',
      '-01',
      '1.',
      '.5',
      '-.5',
      '1..2',
      '1.2.3',
      '1-2',
      '--1',
      '1e5',
      '+1',
      ' 1',
      '1 ',
      'é',
      '"on"',
      ']',
    ],
    ...['4.177', '4.1770000000000001', '16383.5', '16383.6', '999', '1000', '123456789012345678901234567890'],
  ),
);

/** Items of a list, most of them well within the range. */
function itemsOf({ integer, minimum = -1e6, maximum = 1e6 }: Range) {
  const usual = fc
    .tuple(fc.double({ min: minimum, max: maximum, noNaN: true }), fc.nat({ max: 4 }))
    .map(([value, decimals]) => String(Number((value * 0.9).toFixed(integer ? 0 : decimals))));
  return fc.array(fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: odd }), {
    minLength: 20,
    maxLength: 60,
  });
}

describe.each(Object.entries(ranges))('the kernel, asked for numbers %s,', (_, range) => {
  test('passes whole items that are valid, and no other', () => {
    let passedItems = 0;
    fc.assert(
      fc.property(itemsOf(range), (items) => {
        const found = passed(items.join(','), range);
        const whole = found.text === '' ? [] : found.text.replace(/,$/, '').split(',');
        expect(whole).toEqual(items.slice(0, whole.length));
        expect(found.text.endsWith(',') || found.text === '').toBe(true);
        expect(found.items).toBe(whole.length);
        for (const each of whole) if (!isValid(each, range)) expect.fail(`passes ${each}`);
        passedItems += whole.length;
      }),
      { numRuns: 4000 },
    );
    // Where zero is out of range nothing is sure, and the kernel has no part.
    if (range.minimum === 1) expect(passedItems).toBe(0);
    else expect(passedItems).toBeGreaterThan(1000);
  });
});

test('the kernel finds how far bytes repeat, and looks at none behind the end', () => {
  const kernel = kernelOrFail();
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: 0, max: 200 }),
      fc.boolean(),
      (distance, length, ends) => {
        for (let at = 0; at < 400; at++) kernel.bytes[at] = (at % distance) + 1;
        const end = distance + length;
        if (ends) kernel.bytes[end] = 0;
        const same = kernel.repeated(distance, end + (ends ? 20 : 0), distance);
        expect(same).toBeLessThanOrEqual(length);
        expect(same).toBeGreaterThan(length - 16);
      },
    ),
  );
});

test('a long answer has the same verdict and place with the kernel and without, wherever something is wrong', () => {
  const voltages = Array.from({ length: 20_000 }, (_, index) => (index % 6000) / 8);
  const document = JSON.stringify({
    data: {
      trips: [
        { triggerStartTime: '2026-03-02T06:41:07.000Z', tripLength: 1, batteries: { hv: { voltage: voltages } } },
      ],
    },
    meta: {},
  });
  expect(document.length).toBeGreaterThan(kernelBytes);
  const first = document.indexOf('[', document.indexOf('voltage')) + 1;
  fc.assert(
    fc.property(
      fc.integer({ min: first, max: document.length }),
      fc.constantFrom('', ',', '-', '.', '9', '99999', 'e', ']', '"x",', '1.5,', ' '),
      fc.integer({ min: 1, max: 70_000 }),
      (at, put, size) => {
        const bytes = encoder.encode(document.slice(0, at) + put + document.slice(at));
        const cuts = Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => (index + 1) * size).filter(
          (cut) => cut < bytes.length,
        );
        const spread = cuts.length > 40 ? [] : cuts;
        const { verdict } = streamed('getPowertrainData', 200, bytes, spread);
        expect(verdict).toEqual(streamed('getPowertrainData', 200, bytes, [], false).verdict);
      },
    ),
    { numRuns: 150 },
  );
});
