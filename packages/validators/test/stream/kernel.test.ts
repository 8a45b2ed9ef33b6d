import { describe, expect, test, vi } from 'vitest';
import { findKernel } from '../../src/stream/kernel.js';
import { numberRange } from '../../src/stream/number-range.js';

const encoder = new TextEncoder();

function kernelOrFail() {
  const kernel = findKernel();
  if (!kernel) throw new Error('this runtime has no WebAssembly with SIMD');
  return kernel;
}

/** How many items of a list the kernel passes. */
function passed(items: readonly string[], integer: boolean, minimum?: number, maximum?: number): number {
  const kernel = kernelOrFail();
  const bytes = encoder.encode(items.join(','));
  kernel.bytes.fill(0x35);
  kernel.bytes.set(bytes, 3);
  const at = kernel.numbers(3, 3 + bytes.length, numberRange(integer, minimum, maximum));
  expect(new TextDecoder().decode(bytes.subarray(0, at - 3)).split(',')).toEqual([
    ...items.slice(0, kernel.items()),
    '',
  ]);
  return kernel.items();
}

describe('the kernel', () => {
  const many = (item: (index: number) => string) => Array.from({ length: 2000 }, (_, index) => item(index));

  test('passes all but the last items of a list in which nothing is unusual', () => {
    const signal = many((index) => (Math.sin(index) * 3.4).toFixed(index % 4));
    expect(passed(signal, false, -4.177, 4.177)).toBeGreaterThan(1980);
    expect(passed(many(String), true, 0, 3000)).toBeGreaterThan(980);
    expect(
      passed(
        many((index) => `-${index}`),
        true,
        -3000,
        0,
      ),
    ).toBeGreaterThan(980);
  });

  test('stops before what is not surely in the range, by sign, and before fractions where there may be none', () => {
    const odd = (item: string) => many((index) => (index === 1000 ? item : '1'));
    expect(passed(odd('4'), false, -3, 4)).toBe(1000);
    expect(passed(odd('3'), false, -3, 4)).toBeGreaterThan(1900);
    expect(passed(odd('-3'), false, -3, 4)).toBe(1000);
    expect(passed(odd('-2'), false, -3, 4)).toBeGreaterThan(1900);
    expect(passed(odd('-10'), false, -3, 40)).toBe(1000);
    expect(passed(odd('10'), false, -3, 40)).toBeGreaterThan(1900);
    expect(passed(odd('1.5'), true, -3, 4)).toBe(1000);
    expect(passed(odd('1.5'), false, -3, 4)).toBeGreaterThan(1900);
  });

  test('is made once', () => {
    expect(findKernel()).toBe(kernelOrFail());
  });
});

test('a runtime that does not let programs compile has no kernel, and the same verdicts', async () => {
  vi.resetModules();
  let asked = 0;
  vi.stubGlobal('WebAssembly', {
    Module: class {
      constructor() {
        asked++;
        throw new Error('Wasm code generation disallowed by embedder');
      }
    },
  });
  try {
    const fresh = await import('../../src/stream/kernel.js');
    expect([fresh.findKernel(), fresh.findKernel()]).toEqual([null, null]);
    // A browser reports each attempt to its console.
    expect(asked).toBe(1);
    const { createResponseChecker } = await import('../../src/stream.js');
    const checker = createResponseChecker('stopDataSharing', 200);
    checker.write(encoder.encode(`{"data":{},"meta":{}}${' '.repeat(5000)}`));
    expect(checker.end()).toEqual({ ok: true });
  } finally {
    vi.unstubAllGlobals();
    vi.resetModules();
  }
});
