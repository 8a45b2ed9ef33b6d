// What the fast scans read of a list: white space that repeats, and choices that repeat, are not looked at byte by byte; and
// whatever differs in one byte is seen.
import { describe, expect, test } from 'vitest';
import { choiceBytes, scanChoices } from '../../src/stream/choice-scan.js';
import type { Kernel } from '../../src/stream/kernel.js';
import { numberRange } from '../../src/stream/number-range.js';
import { type ScanResult, scanNumbers } from '../../src/stream/number-scan.js';

class CountingView extends DataView<ArrayBuffer> {
  integers = 0;
  doubles = 0;
  override getInt32(at: number, littleEndian?: boolean): number {
    this.integers++;
    return super.getInt32(at, littleEndian);
  }
  override getFloat64(at: number, littleEndian?: boolean): number {
    this.doubles++;
    return super.getFloat64(at, littleEndian);
  }
}

type Scan = (bytes: Uint8Array, view: DataView, end: number, result: ScanResult) => void;

const range = numberRange(false, 0, 99);
const numbers: Scan = (bytes, view, end, result) => scanNumbers(bytes, view, 0, end, range, result);

function choices(...texts: readonly string[]): Scan {
  const prepared = choiceBytes(texts);
  return (bytes, view, end, result) => scanChoices(bytes, view, 0, end, prepared, result);
}

/** Scans a text in front of which and behind which there is nothing, and counts what is read. */
function scanned(scan: Scan, text: string) {
  const bytes = new TextEncoder().encode(text);
  const view = new CountingView(bytes.buffer);
  const result = { at: 0, items: 0, closed: false };
  let singly = 0;
  const counted = new Proxy(bytes, {
    get(target, key) {
      singly++;
      if (Number(key) >= target.length) expect.fail(`reads byte ${String(key)} of ${target.length}`);
      return Reflect.get(target, key);
    },
  });
  scan(counted, view, bytes.length, result);
  return { items: result.items, left: text.slice(result.at), singly, integers: view.integers, doubles: view.doubles };
}

const behind = `],"more":"${'x'.repeat(30)}"`;
const times = <T>(count: number, item: T) => Array<T>(count).fill(item);

describe('white space of one length before every number', () => {
  const spaced = (length: number) => `\n${' '.repeat(length - 1)}`;

  test.each([8, 9, 12, 15, 16])('is compared as two doubles where it takes %d bytes', (length) => {
    const text = times(20, `${spaced(length)}7`).join(',');
    const { items, singly, doubles } = scanned(numbers, text + behind);
    expect([items, doubles]).toEqual([20, 4 * 19]);
    expect(singly).toBeLessThan(100);
  });

  test.each([1, 7, 17, 30])('is read byte by byte where it takes %d bytes', (length) => {
    const { items, doubles } = scanned(numbers, times(20, `${spaced(length)}7`).join(',') + behind);
    expect([items, doubles]).toEqual([20, 0]);
  });

  test.each([8, 9, 12, 16])('may become another of %d bytes', (length) => {
    for (let place = 0; place < length; place++) {
      const other = `${spaced(length).slice(0, place)}\t${spaced(length).slice(place + 1)}`;
      const text = [...times(3, `${spaced(length)}7`), ...times(3, `${other}7`)].join(',');
      expect(scanned(numbers, text + behind)).toMatchObject({ items: 6, left: behind.slice(1) });
    }
  });

  test.each([8, 9, 12, 15, 16])('is nothing else of %d bytes', (length) => {
    for (let place = 0; place < length; place++) {
      for (const byte of ['x', ',', '\u000b', ...(place < length - 1 ? ['7', '-'] : [])]) {
        const other = `${spaced(length).slice(0, place)}${byte}${spaced(length).slice(place + 1)}7`;
        const { items, left } = scanned(numbers, [...times(3, `${spaced(length)}7`), other, '7'].join(',') + behind);
        expect([items, left]).toEqual([3, `${other},7${behind}`]);
      }
    }
  });

  test.each([8, 12, 16])('of %d bytes is not looked for behind the end of a piece', (length) => {
    const text = times(4, `${spaced(length)}7`).join(',');
    for (let end = 0; end <= text.length; end++) {
      const { items, left } = scanned(numbers, text.slice(0, end));
      expect(text.slice(0, end).endsWith(left)).toBe(true);
      expect(items).toBeLessThanOrEqual(Math.floor(end / (length + 2)));
    }
  });
});

describe('a run of one choice', () => {
  test('is compared as doubles with itself', () => {
    const { items, integers, doubles } = scanned(choices('on', 'off'), times(200, '"on"').join(',') + behind);
    expect(items).toBe(200);
    expect(integers).toBeLessThan(50);
    expect(doubles).toBeGreaterThan((2 * 200 * 5) / 8 - 20);
  });

  test('ends where one byte is another', () => {
    const scan = choices('on', 'off');
    const run = `${times(30, '"on"').join(',')},`;
    for (let place = 0; place < run.length; place++) {
      const { items, left } = scanned(scan, `${run.slice(0, place)}x${run.slice(place + 1)}"on"${behind}`);
      expect(items).toBe(Math.floor(place / 5));
      expect(left).toBe(`${run.slice(items * 5, place)}x${run.slice(place + 1)}"on"${behind}`);
    }
  });

  test('is not looked for behind the end of a piece', () => {
    const run = times(30, '"on"').join(',');
    for (let end = 0; end <= run.length; end++) {
      const { items, left } = scanned(choices('on'), run.slice(0, end));
      expect([items * 5 + left.length, left]).toEqual([end, run.slice(items * 5, end)]);
    }
  });
});

describe('the end of a piece, wherever it is,', () => {
  const spaces = ' '.repeat(30);

  test.each([
    '1,22,333,4444,55555,666666,7777777,88888888,999999999,1234567890123,',
    '1.5,22.25,333.125,4.0625,5.03125,6.012345678901234,0.0,0.1,',
    '1.5e3,-1,-22,-0.5,1.,2.x,-,',
    `${spaces}1,${spaces}2.5,\n\n${spaces}${spaces}`,
  ])('stops the scan of %j', (text) => {
    const items = `11,${text}`;
    for (let end = 0; end <= items.length; end++) scanned(numbers, items.slice(0, end));
    for (const number of ['1', '12', '123', '1234', '12345678901234567890', '1.5', '1.', '-1', '-1.25', `${spaces}1`]) {
      // Whatever its length, an item that the end cuts off is left.
      for (let front = 0; front < 20; front++) {
        const cut = '7,'.repeat(front) + number;
        expect(scanned(numbers, cut).left.endsWith(number)).toBe(true);
      }
    }
  });

  test.each([
    '"on","on","on",',
    '"not available","on","not available",',
    `${spaces}"on",\n${spaces}"not available",${spaces}`,
  ])('stops the scan of %j', (text) => {
    const items = text + text;
    for (let end = 0; end <= items.length; end++) scanned(choices('on', 'not available'), items.slice(0, end));
  });
});

describe('choices', () => {
  test.each([
    ['on', 'off'],
    ['p', 'r', 'n', 'd'],
    ['none', 'off', 'warning', 'assist', 'invalid'],
    ['belted', 'unbelted'],
  ])('of the contract that do not begin alike are each found at once: %s, …', (...texts) => {
    for (const text of texts) {
      // One number to find it by, four to compare it with.
      expect(scanned(choices(...texts), `"${text}"${behind}`)).toMatchObject({ items: 1, integers: 5 });
    }
  });

  test('are found where they are the 127th, and left to the careful path behind that', () => {
    const scan = choices(...Array.from({ length: 130 }, (_, index) => `choice ${index}`));
    expect(scanned(scan, `"choice 126"${behind}`).items).toBe(1);
    expect(scanned(scan, `"choice 127"${behind}`).items).toBe(0);
  });

  test('take up to 14 characters, and are left to the careful path where they have more or none', () => {
    const scan = choices('', 'of 14 letters!', 'of 15 letters!!');
    expect(scanned(scan, `"of 14 letters!"${behind}`).items).toBe(1);
    for (const text of ['', 'of 15 letters!!', 'of 14 letters!?']) {
      expect(scanned(scan, `"${text}"${behind}`).items).toBe(0);
    }
  });
});

describe('runs are looked for', () => {
  const groups = (count: number, run: number) => times(count, [...times(run, '"on"'), '"off"']).flat();

  /** How often the kernel is asked for a run. */
  function asked(items: readonly string[]): number {
    const bytes = new TextEncoder().encode(items.join(',') + behind);
    const view = new DataView(bytes.buffer);
    let calls = 0;
    const kernel: Kernel = {
      bytes,
      view,
      numbers: (at) => at,
      items: () => 0,
      repeated(at, end, distance) {
        calls++;
        let place = at;
        while (place < end && bytes[place] === bytes[place - distance]) place++;
        return place - at;
      },
    };
    const result = { at: 0, items: 0, closed: false };
    scanChoices(bytes, view, 0, bytes.length, choiceBytes(['on', 'off', 'p', 'd']), result, kernel);
    expect(result).toMatchObject({ items: items.length, closed: true });
    return calls;
  }

  test('eight times in vain, or where a run has but one item more', () => {
    expect(asked(times(50, ['"p"', '"d"']).flat())).toBe(8);
    expect(asked(groups(50, 3))).toBe(8);
  });

  test('as long as there are any', () => {
    expect(asked(groups(50, 4))).toBe(50);
    expect(asked([...groups(10, 4), ...groups(50, 3)])).toBe(28);
  });
});
