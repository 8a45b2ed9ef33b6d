// What one document leaves behind is used for the next, and nothing of it may be seen there.
import { expect, test } from 'vitest';
import { createResponseChecker } from '../../src/stream.js';
import { agree, compare } from './both-checkers.js';

const meta = { success: 'true', timestamp: '2026-01-08T10:15:30.123Z' };
const location = (latitude: number, rest: object = {}) =>
  Buffer.from(JSON.stringify({ data: { location: { latitude, ...rest } }, meta }));

/** Responses, and the place of what is wrong with each. */
const responses: readonly (readonly [bytes: Buffer, pointer: string | null])[] = [
  [location(52.5), null],
  [location(90.5), '/data/location/latitude'],
  [location(1, { speed: { value: 63, unit: 'furlongs' } }), '/data/location/speed/unit'],
  [location(1, { other: [{ deep: [1, 'two', null] }] }), null],
  [Buffer.from('{"data":{}}'), '/data/location'],
  [Buffer.from('{"data":{"location":{}}}'), '/meta'],
  [location(52.5).subarray(0, -9), ''],
  [Buffer.from('{"data":{"location":{"latitude":'), ''],
  [Buffer.from('[7]'), ''],
];

function pointerOf(verdict: ReturnType<ReturnType<typeof createResponseChecker>['end']>): string | null {
  return verdict.ok ? null : verdict.issues[0].pointer;
}

test('checkers that take turns, one byte each, give the verdicts that each gives alone', () => {
  for (let turn = 0; turn < 20; turn++) {
    // Each turn in another order, and begun at other times.
    const rotated = [...responses.slice(turn % responses.length), ...responses.slice(0, turn % responses.length)];
    const running = rotated.map(([bytes, pointer], index) => ({
      checker: createResponseChecker('getLocation', 200),
      bytes,
      pointer,
      at: -index * (turn % 4),
    }));
    while (running.some(({ at, bytes }) => at < bytes.length)) {
      for (const one of running) {
        if (one.at >= 0) one.checker.write(one.bytes.subarray(one.at, one.at + 1));
        one.at++;
      }
    }
    for (const { checker, pointer } of running) {
      expect(pointerOf(checker.end())).toBe(pointer);
      expect(pointerOf(checker.end()), 'asked again').toBe(pointer);
    }
  }
});

test('bytes behind the end of a document change its verdict alone', () => {
  const over = createResponseChecker('getLocation', 200);
  over.write(location(52.5));
  expect(over.end().ok).toBe(true);
  const next = createResponseChecker('getLocation', 200);
  const bytes = location(90.5);
  next.write(bytes.subarray(0, 30));
  expect(over.write(location(52.5))).toBe(false);
  next.write(bytes.subarray(30));
  expect(pointerOf(next.end())).toBe('/data/location/latitude');
  expect(over.end()).toMatchObject({ ok: false, issues: [{ rule: 'json' }] });
});

test('numbers outside lists are those of JSON.parse', () => {
  const whole = [
    '0',
    '-0',
    '7',
    '90',
    '-90',
    '91',
    '00',
    '01',
    '-01',
    '-',
    '--1',
    '+1',
    '123456789012345',
    '1234567890123456',
  ];
  const behind = [
    '',
    '.',
    '.0',
    '.5',
    '.00000000000001',
    '.000000000000001',
    '.99999999999999999',
    '.5.5',
    'e0',
    '.5e1',
    'E-2',
    '..1',
  ];
  const numbers = [
    ...whole.flatMap((first) => behind.map((rest) => first + rest)),
    '.5',
    '89.9999999999999',
    '90.0000000000001',
  ];
  for (const number of numbers) {
    for (const end of ['}', ' }', ',"heading":1}']) {
      const text = `{"data":{"location":{"latitude":${number}${end}},"meta":${JSON.stringify(meta)}}`;
      compare('getLocation', 200, Buffer.from(text), [], [40], [text.indexOf(number) + 1]);
    }
  }
  agree(numbers.length > 150, true, 'the number of numbers');
});
