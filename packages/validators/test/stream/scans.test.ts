// The fast scans on their own: that they pass over all that is plainly valid, which no verdict shows, and stop before the rest.
import { describe, expect, test } from 'vitest';
import { choiceBytes, scanChoices } from '../../src/stream/choice-scan.js';
import { numberRange } from '../../src/stream/number-range.js';
import { type ScanResult, scanNumbers } from '../../src/stream/number-scan.js';

const encoder = new TextEncoder();
/** What follows a list; the scans leave the last bytes of a piece to the careful path. */
const more = `,"more":"${'x'.repeat(64)}"}`;

type Scan = (bytes: Uint8Array, view: DataView, start: number, end: number, result: ScanResult) => void;

/** How many items a scan passes over, whether it passes the end of the list, and what it has not passed. */
function passed(scan: Scan, items: string, rest = more) {
  // The list lies in the middle of a larger buffer, as a piece of a body does.
  const whole = encoder.encode(`"]}1,"value":[${items}${rest}`);
  const buffer = new Uint8Array(whole.length + 16);
  buffer.set(whole, 8);
  const bytes = buffer.subarray(8, 8 + whole.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = { at: -1, items: -1, closed: true };
  scan(bytes, view, 14, bytes.length, result);
  const left = new TextDecoder().decode(bytes.subarray(result.at));
  return {
    items: result.items,
    closed: result.closed,
    left: left.endsWith(rest) ? left.slice(0, left.length - rest.length) : left,
  };
}

function numbers(minimum: number | undefined, maximum: number | undefined, integer = false): Scan {
  const range = numberRange(integer, minimum, maximum);
  return (bytes, view, start, end, result) => scanNumbers(bytes, view, start, end, range, result);
}

describe('the scan of numbers', () => {
  const plain = [
    '0',
    '7',
    '10',
    '123',
    '1234',
    '12345',
    '0.5',
    '7.25',
    '12.125',
    '100.0625',
    '1234.56789',
    '1677721.4',
    '1677721.39',
    '0.0',
  ];
  const odometer = numbers(0, 1677721.4);

  test('passes over plain numbers in the range, to the end of their list', () => {
    for (const number of plain) {
      expect(passed(odometer, `${number}]`)).toEqual({ items: 1, closed: true, left: '' });
      expect(passed(odometer, `1,${number},2,${number}]`)).toEqual({ items: 4, closed: true, left: '' });
    }
    expect(passed(odometer, `${plain.join(',')}]`)).toEqual({ items: plain.length, closed: true, left: '' });
  });

  test('passes over negative ones where the range has them', () => {
    const signed = numbers(-4.177, 4.177);
    const list = ['-0', '-0.5', '-4', '-4.177', '-4.17', '4.177', '-3.999999', '3.12345678901234', '0'];
    expect(passed(signed, `${list.join(',')}]`)).toEqual({ items: list.length, closed: true, left: '' });
    for (const number of ['-4.178', '-4.1771', '-5', '-10', '4.18', '5', '10']) {
      expect(passed(signed, `-1,${number},1]`)).toEqual({ items: 1, closed: false, left: `${number},1]` });
    }
  });

  test('passes over numbers of any length where the range is open', () => {
    const open = numbers(undefined, undefined);
    const list = [
      '123456789012345678',
      '-123456789012345678',
      '0.1234567890123456789',
      '99999999999999999999',
      '-1',
      '5',
    ];
    expect(passed(open, `${list.join(',')}]`)).toEqual({ items: list.length, closed: true, left: '' });
    expect(passed(open, `1,${'9'.repeat(22)},1]`)).toMatchObject({ items: 1, closed: false });
  });

  test('passes over whole numbers alone where only those are valid', () => {
    const whole = numbers(0, undefined, true);
    expect(passed(whole, '1,20,300]')).toEqual({ items: 3, closed: true, left: '' });
    for (const number of ['1.5', '1.0'])
      expect(passed(whole, `1,${number},2]`)).toEqual({ items: 1, closed: false, left: `${number},2]` });
  });

  test.each([
    ...[
      '-1',
      '1677721.5',
      '1677722',
      '2000000',
      '10000000',
      '1677721.400000000000001',
      '1e1',
      '1E1',
      '1.5e1',
      '01',
      '-01',
      '00',
    ],
    ...[
      '1.',
      '.5',
      '-',
      '+1',
      '1..5',
      '1.5.5',
      '1a',
      '1 1',
      '--1',
      '"1"',
      'null',
      'true',
      '[]',
      '{}',
      '',
      '1.x',
      '1-',
      '1:2',
      '12:3',
      '123:4',
      '1234:5',
      '1.:2',
      '1.2:3',
      '1.23:4',
      '1.234:5',
      '1}',
    ],
  ])('stops before %j', (number) => {
    for (const before of ['', '1,', '1.5,20,', '1,2,3,4,5,6,7,8,']) {
      const items = before.split(',').length - 1;
      expect(passed(odometer, `${before}${number},2,3]`)).toEqual({ items, closed: false, left: `${number},2,3]` });
    }
  });

  test.each([
    ' ',
    '\n',
    '\r',
    '\t',
    '\r\n  ',
    `\n${' '.repeat(7)}`,
    `\n${' '.repeat(8)}`,
    `\n${' '.repeat(15)}`,
    `\n${' '.repeat(16)}`,
    `\n${' '.repeat(30)}`,
  ])('passes over white space %j before a number', (space) => {
    const list = ['1', '2.5', '300', '4', '5', '6'].map((number) => space + number);
    expect(passed(odometer, `${list.join(',')}]`)).toEqual({ items: 6, closed: true, left: '' });
    expect(passed(odometer, `${list.join(',')},${space}x,${space}1]`)).toEqual({
      items: 6,
      closed: false,
      left: `${space}x,${space}1]`,
    });
    const uneven = `${space}1,${space}2,3, 4,${space} 5,${space}6]`;
    expect(passed(odometer, uneven)).toEqual({ items: 6, closed: true, left: '' });
  });

  test('never looks past the end of a piece, wherever that is', () => {
    const text = '1,22,333.25,\n        4444,\n        5,-0.5,6]';
    for (let length = 0; length <= text.length; length++) {
      const { items, left } = passed(numbers(-1, undefined), text.slice(0, length), '');
      const whole = text.slice(0, length).split(',');
      expect(items).toBeLessThanOrEqual(text.slice(0, length).endsWith(']') ? whole.length : whole.length - 1);
      expect(whole.slice(items).join(',')).toBe(left);
    }
  });
});

describe('the scan of choices', () => {
  const gears = scanOf(['p', 'r', 'n', 'd']);
  const long = scanOf([
    'on',
    'off',
    'belted',
    'unbelted',
    'not available',
    'not applicable',
    'unknown',
    'é',
    '',
    'a"b',
    'ab\\',
  ]);

  function scanOf(choices: readonly unknown[]): Scan {
    const prepared = choiceBytes(choices);
    return (bytes, view, start, end, result) => scanChoices(bytes, view, start, end, prepared, result);
  }

  test('passes over every choice of plain text, to the end of their list', () => {
    expect(passed(gears, '"p","r","n","d"]')).toEqual({ items: 4, closed: true, left: '' });
    const list = ['on', 'off', 'belted', 'unbelted', 'not available', 'not applicable', 'unknown'].map(
      (choice) => `"${choice}"`,
    );
    expect(passed(long, `${list.join(',')}]`)).toEqual({ items: 7, closed: true, left: '' });
    for (const choice of list) expect(passed(long, `${choice}]`)).toEqual({ items: 1, closed: true, left: '' });
  });

  test('passes over runs of one choice, however long, and what follows them', () => {
    for (let count = 1; count < 40; count++) {
      for (const [scan, choice, other] of [
        [gears, '"p"', '"d"'],
        [long, '"not available"', '"on"'],
        [long, '"off"', '"belted"'],
      ] as const) {
        const run = Array<string>(count).fill(choice).join(',');
        expect(passed(scan, `${run}]`)).toEqual({ items: count, closed: true, left: '' });
        expect(passed(scan, `${run},${other},${run}]`)).toEqual({ items: 2 * count + 1, closed: true, left: '' });
        expect(passed(scan, `${run},"x",${run}]`)).toEqual({ items: count, closed: false, left: `"x",${run}]` });
        const spaced = Array<string>(count).fill(`\n    ${choice}`).join(',');
        expect(passed(scan, `${spaced}]`)).toEqual({ items: count, closed: true, left: '' });
      }
    }
  });

  test('passes over choices that alternate, for as long as the list is', () => {
    const list = Array.from({ length: 200 }, (_, index) => (index % 2 ? '"p"' : '"d"'));
    expect(passed(gears, `${list.join(',')}]`)).toEqual({ items: 200, closed: true, left: '' });
    const mixed = Array.from({ length: 200 }, (_, index) => (index % 3 ? '"on"' : '"unbelted"'));
    expect(passed(long, `${mixed.join(',')}]`)).toEqual({ items: 200, closed: true, left: '' });
  });

  test.each([
    ...[
      '"x"',
      '"P"',
      '"pp"',
      '"p',
      'p"',
      '"p ',
      '" p"',
      '"p":1',
      '"p"}',
      '"p" ',
      '""',
      '1',
      'null',
      '"\\u0070"',
      '"\\"',
      '',
    ],
  ])('stops before %j', (item) => {
    for (const before of ['', '"p",', '"p","p","p","p","p","p",', '"p","d","r",']) {
      const items = before.split(',').length - 1;
      expect(passed(gears, `${before}${item},"p","d"]`)).toEqual({ items, closed: false, left: `${item},"p","d"]` });
    }
  });

  test.each([
    '"o"',
    '"of"',
    '"onn"',
    '"offf"',
    '"belte"',
    '"beltex"',
    '"bel',
    '"unbeltex"',
    '"unbexxed"',
    '"not avXilable"',
    '"not applicablX"',
    '"é"',
    '"on"1',
  ])('stops before %j, which is only like a choice', (item) => {
    expect(passed(long, `"on",${item},"on"]`)).toEqual({ items: 1, closed: false, left: `${item},"on"]` });
  });

  test.each([' ', '\n', '\r', '\t', '\r\n  ', `\n${' '.repeat(20)}`])(
    'passes over white space %j before a choice',
    (space) => {
      expect(passed(gears, `${space}"p",${space}"p",${space}"d","p"]`)).toEqual({ items: 4, closed: true, left: '' });
    },
  );

  test('tells choices apart that begin alike, that are as long, and that are very many', () => {
    const alike = [
      'ab',
      'abc',
      'abcd',
      'abcde',
      'abcdef',
      'abcdefg',
      'abcdefgh',
      'abcdefghi',
      'abcdefXhi',
      'a',
      '12',
      'a ',
    ];
    const scan = scanOf(alike);
    for (const choice of alike)
      expect(passed(scan, `"a","${choice}","12"]`)).toEqual({ items: 3, closed: true, left: '' });
    for (const other of [
      'abX',
      'abcX',
      'abcX',
      'abcdX',
      'Xbcdef',
      'abcdefgX',
      'abcXefgh',
      'abcdeXghi',
      'abcdefghij',
      'b',
      '1',
      '13',
      ' a',
    ]) {
      expect(passed(scan, `"a","${other}","12"]`)).toEqual({ items: 1, closed: false, left: `"${other}","12"]` });
    }
    const many = Array.from({ length: 300 }, (_, index) => `c${index}`);
    for (const choice of many.slice(0, 120)) {
      expect(passed(scanOf(many), `"${choice}","c0"]`)).toEqual({ items: 2, closed: true, left: '' });
    }
    for (const other of ['c300', 'c', 'c1000', 'd1']) expect(passed(scanOf(many), `"${other}","c0"]`).items).toBe(0);
  });

  test('passes over nothing where no choice is plain text', () => {
    for (const scan of [scanOf([]), scanOf([1, true]), scanOf(['é', 'a"b', 'a\\b', '\u007f', 'a\nb'])]) {
      for (const item of ['1', 'true', '"é"', '"a\\"b"', '"x"', '']) {
        expect(passed(scan, `${item},${item}]`)).toEqual({ items: 0, closed: false, left: `${item},${item}]` });
      }
    }
  });

  test('never looks past the end of a piece, wherever that is', () => {
    const text = '"p","p","p","p",\n  "p",\n  "p","d","d","r"]';
    for (let length = 0; length <= text.length; length++) {
      const piece = text.slice(0, length);
      const { items, left } = passed(gears, piece, '');
      const whole = piece.split(',');
      expect(items).toBeLessThanOrEqual(piece.endsWith(']') ? whole.length : whole.length - 1);
      expect(whole.slice(items).join(',')).toBe(left);
    }
  });
});
