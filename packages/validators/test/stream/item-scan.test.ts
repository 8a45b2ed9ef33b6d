// Which scan a list goes through, and how the kernel and the scan in JavaScript take turns; no verdict shows that.
import { describe, expect, test } from 'vitest';
import { scanItems } from '../../src/stream/item-scan.js';
import type { Kernel } from '../../src/stream/kernel.js';
import { anything, choiceList, list, numberList, type StreamNode, scalar } from '../../src/stream/stream-node.js';

const check = () => undefined;
const item = scalar(check);
const numbers = numberList(check, item, false, 0, 9);
const choices = choiceList(check, item, ['on', 'off']);

function passed(node: StreamNode, text: string, kernel: Kernel | null = null) {
  const bytes = new TextEncoder().encode(text);
  const result = { at: 0, items: 0, closed: false };
  const any = scanItems(node, bytes, new DataView(bytes.buffer), 0, result, kernel);
  return any ? result : undefined;
}

/** A kernel that passes the items of so many bytes, each two bytes long, and knows of no repetition. */
function kernelThatPasses(length: number): Kernel {
  const bytes = new Uint8Array(0);
  return {
    bytes,
    view: new DataView(bytes.buffer),
    numbers: (at) => at + length,
    items: () => length / 2 || 1000,
    repeated: () => 0,
  };
}

describe('a list', () => {
  const behind = `,"more":"${'x'.repeat(30)}"`;

  test.each([
    ['of numbers', numbers, '1,2,3]', 3],
    ['of choices', choices, '"on","off"]', 2],
  ] as const)('%s goes through the scan that is made for it', (_, node, items, count) => {
    expect(passed(node, items + behind)).toEqual({ at: items.length, items: count, closed: true });
    expect(passed(node, `x${items}${behind}`)).toBeUndefined();
  });

  test('of anything else goes through none', () => {
    for (const node of [list(check, item), anything]) {
      for (const items of ['1,2,3]', '"on","off"]']) expect(passed(node, items + behind)).toBeUndefined();
    }
  });
});

describe('a long list of numbers', () => {
  const long = '1,'.repeat(400);

  test('is passed by the kernel, and behind its odd item by JavaScript for 256 bytes', () => {
    const found = passed(numbers, long, kernelThatPasses(100));
    expect(found?.at).toBeGreaterThan(100 + 256 - 16);
    expect(found?.at).toBeLessThanOrEqual(100 + 256);
    expect(found?.items).toBe((found?.at ?? 0) / 2);
  });

  test('is passed by JavaScript to its end where the kernel passes nothing', () => {
    const found = passed(numbers, long, kernelThatPasses(0));
    expect(found).toEqual(passed(numbers, long));
    expect(found?.at).toBeGreaterThan(long.length - 16);
    expect(found?.items).toBe((found?.at ?? 0) / 2);
  });

  test('is passed to the end of the piece and no further', () => {
    const found = passed(numbers, long.slice(0, 200), kernelThatPasses(100));
    expect(found?.at).toBeGreaterThan(200 - 16);
    expect(found?.at).toBeLessThanOrEqual(200);
  });
});
