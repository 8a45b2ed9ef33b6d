import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../src/stream.js';
import { compare } from './both-checkers.ts';

const encoder = new TextEncoder();
const words = (list: string) => list.trim().split(/\s+/);

/** Has a document checked whole, cut in two in the middle, and byte by byte (from its hundredth byte on, every seventh). */
function check(operationId: OperationId, document: string | Uint8Array): number {
  const bytes = typeof document === 'string' ? encoder.encode(document) : document;
  const pieces = Array.from(bytes, (_, index) => index).filter((index) => index < 100 || index % 7 === 0);
  return compare(operationId, 200, bytes, [], [bytes.length >> 1], pieces);
}

/** A trip with these members, alone in a response. */
function trip(members: string): string {
  return `{"data":{"trips":[{${members},"triggerStartTime":"2026-03-02T06:41:07.000Z","tripLength":1}]},"meta":{}}`;
}

const location =
  '{"data":{"location":{"heading":12.5,"latitude":-1e1}},"meta":{"success":true},"x":[null,{"é\\n":"\\u00e9"}]}';
const put = [...'"\\{}[]:,-+.e09tu \n\t\u0001é', ''];

describe('a document in which one character', () => {
  test.each(['is replaced', 'is put in'])('%s is judged as the object validator does, cut there or not', (way) => {
    const characters = [...location];
    let valid = 0;
    for (let at = 0; at < characters.length; at++) {
      for (const character of put) {
        const changed = characters.toSpliced(at, way === 'is put in' ? 0 : 1, character);
        const bytes = encoder.encode(changed.join(''));
        if (compare('getLocation', 200, bytes, [], [at], [at, at + 1]) < 0) valid++;
      }
    }
    expect(valid).toBeGreaterThan(100);
  });
});

test('white space stands between tokens, and nothing else does', () => {
  for (const space of [' ', '\n', '\r', '\t', '\u00a0', '\f', '\v', '\b', '/', '#', '!', '\u000e']) {
    for (const token of ['{', '"data"', ':', '{"location":{}}', ',', '"meta"', '}']) {
      const document = '{"data":{"location":{}},"meta":{}}';
      const at = document.indexOf(token) + token.length;
      check('getLocation', document.slice(0, at) + space + document.slice(at));
      check('getLocation', `${space}${document}`);
    }
  }
  expect(check('getLocation', ' \r\n\t{ "data" : { "location" : { } } , "meta" : { } } \n')).toBe(-1);
});

describe('text in UTF-8', () => {
  const good = words(`
    7f c280 dfbf e0a080 ed9fbf ee8080 efbfbf f0908080 f48fbfbf e18080 f1808080`);
  const bad = words(`
    80 bf c0 c080 c1bf c2 c27f c2c0 df dfc0 e0 e09fbf e0a0 e0a07f e0a0c0 e1 e17f80 e1c080 eda080 edbfbf ef efbf
    efbf22 f08fbfbf f09080 f0907f80 f0c08080 f4908080 f48fbf f3bfbfc0 f5808080 f8 fe ff c380bf e1808080`);
  const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
  const vehicles = (nickname: Uint8Array, name = 'nickname') =>
    Buffer.concat([
      encoder.encode(`{"data":{"vehicles":[{"vin":"SANDB0XA000000001","${name}":"a`),
      nickname,
      encoder.encode('b"}]},"meta":{}}'),
    ]);

  test.each(good)('may hold %s', (hex) => {
    for (const name of ['nickname', 'more']) expect(check('listVehicles', vehicles(bytesOf(hex), name))).toBe(-1);
    const asName = Buffer.concat([
      encoder.encode('{"data":{"location":{}},"meta":{},"'),
      bytesOf(hex),
      encoder.encode('":1}'),
    ]);
    expect(check('getLocation', asName)).toBe(-1);
  });

  test.each(bad)('may not hold %s', (hex) => {
    for (const name of ['nickname', 'more', 'vin']) {
      expect(check('listVehicles', vehicles(bytesOf(hex), name))).toBeGreaterThan(0);
    }
  });

  test('may begin with a byte order mark, whole, and hold one elsewhere', () => {
    const document = encoder.encode('{"data":{"location":{}},"meta":{}}');
    const marked = (hex: string) => Buffer.concat([bytesOf(hex), document]);
    expect(check('getLocation', marked('efbbbf'))).toBe(-1);
    for (const hex of ['ef', 'efbb', 'bbbf', 'efbbbe', 'efbbbfefbbbf', 'efbabf', 'eebbbf']) {
      expect(check('getLocation', marked(hex))).toBeGreaterThanOrEqual(0);
    }
    expect(check('getLocation', Buffer.concat([document, bytesOf('efbbbf')]))).toBeGreaterThan(0);
    expect(check('listVehicles', vehicles(bytesOf('efbbbf')))).toBe(-1);
    for (const hex of ['', 'ef', 'efbb', 'efbbbf'])
      expect(check('getLocation', bytesOf(hex))).toBeGreaterThanOrEqual(0);
  });
});

describe('a list of numbers', () => {
  // One list without a lower bound below zero, one with both, one that nearly reaches its bounds in one digit.
  const lists = {
    odometer: (items: string) => trip(`"odometer":{"value":${items}}`),
    longitudinal: (items: string) => trip(`"acceleration":{"longitudinal":${items}}`),
    yaw: (items: string) => trip(`"angularVelocity":{"yaw":${items}}`),
    rpm: (items: string) => trip(`"engine":{"rpm":${items}}`),
  };
  const numbers = words(`
    0 -0 1 -1 5 9 10 99 0.0 -0.5 0.000000001 0.0000000001 12345678.9 123456789 1677721.4 1677721.5 1677721.40
    1677721.41 1677721.400000000000000001 1677721 1677722 1677720.9 16383.5 16383.6 16383.50 16383.500000001
    16383.49999 16384 16383 20000 9999.9 163835e-1 4.177 4.178 -4.177 -4.178 4.1770 -4.1771 4.17699999999 4 -4 5.0 -5
    40.95 40.96 -40.95 -40.96 -40.97 40 -41 41 4.1e1 1e400 1234567890 -1234567890 01 -01 00 1. - -.5 1..5 1.5. 1a 1"
    --1 null "1" true [] {}`);
  const around: readonly (readonly [string, string])[] = [
    ['[', ']'],
    ['[1,', ',2,3,4,5,6]'],
    ['[ 1 ,\n', '\r\n, 2.5\t,3, 4,5,6,7,8]'],
    ['[1,2,3,4,5,', ']'],
    ['[\n        1,\n        2,\n        ', ',\n        3,\n        4\n      ]'],
    ['[1,2,3,4,5', '7,8,9,10]'],
    ['[1,2,3,', '}]'],
  ];

  test.each(Object.entries(lists))('of %s is judged as the object validator does', (_, document) => {
    let valid = 0;
    for (const number of [...numbers, '', ' ']) {
      for (const [before, after] of around) if (check('getDrivingData', document(before + number + after)) < 0) valid++;
    }
    expect(valid).toBeGreaterThan(20);
  });

  test.each(Object.entries(lists))(
    'of %s with numbers of one shape is judged so too, whichever byte changes',
    (_, document) => {
      let valid = 0;
      for (const number of [
        '4',
        '-4',
        '3.9',
        '-3.99',
        '40.9',
        '-40.95',
        '16382',
        '16383.5',
        '1677721.4',
        '123456.789',
      ]) {
        const [run, rest] = [`${number},`.repeat(3), `,${number}`.repeat(9)];
        for (let at = 0; at <= number.length; at++) {
          for (const byte of '0123456789-.,/:ae]} "') {
            const changed = `${number},`.slice(0, at) + byte + `${number},`.slice(at + 1);
            const bytes = encoder.encode(document(`[${run}${changed}${number}${rest}]`));
            if (compare('getDrivingData', 200, bytes, []) < 0) valid++;
          }
        }
      }
      expect(valid).toBeGreaterThan(50);
    },
  );

  test('may be empty, open, or hold no comma', () => {
    for (const items of words('[ [1 [1, [,1,2,3] [1,2,3,4,5,,6] [1,2,3,4,5,] [1:2] [1}')) {
      check('getDrivingData', lists.odometer(items));
    }
    expect(check('getDrivingData', lists.odometer('[]'))).toBe(-1);
  });
});

describe('a member', () => {
  test('that comes again replaces the earlier one, with what was wrong in it', () => {
    expect(check('getLocation', '{"data":1,"meta":{},"data":{"location":{}}}')).toBe(-1);
    expect(check('getLocation', '{"data":{"location":{}},"meta":{},"data":1}')).toBeGreaterThan(0);
    expect(check('getLocation', '{"data":{"location":{"heading":1e9,"heading":1}},"meta":1,"meta":{}}')).toBe(-1);
    expect(
      check('getLocation', '{"data":{"location":{"heading":1e9,"latitude":1e9,"heading":1}},"meta":{}}'),
    ).toBeGreaterThan(0);
    expect(check('getLocation', '{"data":{"location":{"heading":1,"heading":1e9}},"meta":{}}')).toBeGreaterThan(0);
    expect(check('getLocation', '{"data":{"location":{}},"data":{},"meta":{}}')).toBeGreaterThan(0);
    expect(check('getLocation', '{"data":{},"data":{"location":{}},"meta":{}}')).toBe(-1);
    expect(check('getLocation', '{"x":1,"x":{"y":1},"data":{"location":{}},"meta":{},"x":[]}')).toBe(-1);
  });

  test('can have an escaped or an inherited name', () => {
    expect(check('getLocation', '{"\\u0064ata":{"location":{"he\\u0061ding":1e9}},"meta":{}}')).toBeGreaterThan(0);
    expect(
      check('getLocation', '{"data":{"location":{}},"meta":{},"__proto__":{},"constructor":1,"toString":[]}'),
    ).toBe(-1);
    expect(check('getLocation', '{"d\\"ata":1,"data":{"location":{}},"meta":{}}')).toBe(-1);
  });

  test('that is missing is found at the end of its object, the first of the contract first', () => {
    for (const document of words(
      '{} {"meta":{}} {"data":{}} {"data":{},"meta":{}} {"meta":{},"data":{"location":1}}',
    )) {
      expect(check('getLocation', document)).toBeGreaterThan(0);
    }
    const vehicle = (members: string) => `{"data":{"vehicles":[{${members}}]},"meta":{}}`;
    const good = '"vin":"SANDB0XA000000001"';
    for (const members of ['', '"type":"x"', '"nickname":1', `"vin":1,${good}`, `${good},"vin":1`]) {
      check('listVehicles', vehicle(members));
    }
  });
});

test('the first wrong item of a list is the one that is told, and the rest is read for its grammar', () => {
  const vehicle = (vin: string) => `{"vin":${vin}}`;
  const list = (...items: string[]) => `{"data":{"vehicles":[${items.join(',')}]},"meta":{}}`;
  const good = vehicle('"SANDB0XA000000001"');
  check('listVehicles', list(good, vehicle('1'), good, vehicle('2')));
  check('listVehicles', list(good, good, '1', vehicle('2')));
  check('listVehicles', list(good, vehicle('1'), '{"x":}'));
  check('listVehicles', list(vehicle('1'), '{"vin":01}'));
  check('getDrivingData', trip('"odometer":{"value":[1,-1,2,"x",3]},"engine":{"rpm":[1,16384]}'));
  check('getDrivingData', trip('"engine":{"rpm":[1,16384]},"odometer":{"value":[1,-1,2,"x",3]}'));
  check('getDrivingData', trip('"odometer":{"value":[1,-1,2,3,4,5,6,}'));
});
