import { describe, expect, test } from 'vitest';
import { createResponseChecker, type OperationId } from '../../src/stream.js';

const encoder = new TextEncoder();

/** The rule that a document breaks and where, read in pieces of this many bytes. */
function broken(operationId: OperationId, document: string, bytesAtOnce = Number.POSITIVE_INFINITY) {
  const bytes = encoder.encode(document);
  const checker = createResponseChecker(operationId, 200);
  for (let at = 0; at < bytes.length; at += bytesAtOnce) checker.write(bytes.subarray(at, at + bytesAtOnce));
  const verdict = checker.end();
  return verdict.ok ? undefined : { ...verdict.issues[0], byteOffset: verdict.byteOffset };
}

describe('of a body, at most 65,536 bytes are held:', () => {
  const vehicles = (vin: string) => `{"data":{"vehicles":[{"vin":"${vin}"}]},"meta":{}}`;
  const most = 65_536;

  test.each([Number.POSITIVE_INFINITY, 1000, most - 3])('text with a rule, in pieces of %d bytes', (bytesAtOnce) => {
    expect(broken('listVehicles', vehicles('x'.repeat(most)), bytesAtOnce)).toMatchObject({ rule: 'pattern' });
    expect(broken('listVehicles', vehicles('x'.repeat(most + 1)), bytesAtOnce)).toEqual({
      kind: 'shape',
      in: 'body',
      name: '',
      pointer: '/data/vehicles/0/vin',
      rule: 'maxBytes',
      message: '/data/vehicles/0/vin must not be longer than 65536 bytes',
      byteOffset: 28,
    });
  });

  test.each([Number.POSITIVE_INFINITY, 1000])(
    'names, in pieces of %d bytes; a longer one is none of the contract',
    (bytesAtOnce) => {
      for (const length of [most - 1, most, most + 1]) {
        const document = `{"${'x'.repeat(length)}":1,"data":{"location":{"heading":361}},"meta":{}}`;
        expect(broken('getLocation', document, bytesAtOnce)).toMatchObject({ rule: 'maximum' });
        expect(broken('getLocation', document.replace('361', '1'), bytesAtOnce)).toBeUndefined();
      }
    },
  );

  test.each([Number.POSITIVE_INFINITY, 1000])('numbers, in pieces of %d bytes', (bytesAtOnce) => {
    const heading = (digits: number) => `{"data":{"location":{"heading":1.${'0'.repeat(digits)}}},"meta":{}}`;
    expect(broken('getLocation', heading(most - 2), bytesAtOnce)).toBeUndefined();
    if (bytesAtOnce === 1000) {
      expect(broken('getLocation', heading(most + 1000), bytesAtOnce)).toMatchObject({
        rule: 'json',
        message: 'the value holds a number that is too long',
        byteOffset: 31,
      });
    }
  });

  test('text with a rule is dropped beyond that', () => {
    const checker = createResponseChecker('listVehicles', 200);
    checker.write(encoder.encode('{"data":{"vehicles":[{"vin":"'));
    const piece = new Uint8Array(2 ** 20).fill(120);
    const { arrayBuffers } = process.memoryUsage();
    for (let written = 0; written < 64; written++) checker.write(piece);
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(2 ** 24);
  });

  test('text without a rule is not held and can have any length', () => {
    const document = `{"data":{"vehicles":[{"vin":"SANDB0XA000000001","nickname":"${'é'.repeat(most)}"}]},"meta":{}}`;
    expect(broken('listVehicles', document, 999)).toBeUndefined();
    // Nothing is said about an unknown member in the end; held text that is too long would be found at once.
    const checker = createResponseChecker('getLocation', 200);
    expect(checker.write(encoder.encode('{"x":"'))).toBe(true);
    for (let written = 0; written <= most; written += 999) {
      expect(checker.write(encoder.encode('x'.repeat(999)))).toBe(true);
    }
    expect(checker.write(encoder.encode('","data":{"location":{}},"meta":{}}'))).toBe(true);
    expect(checker.end()).toEqual({ ok: true });
  });
});

describe('what is said', () => {
  test('of a response that the contract does not list names those that it lists', () => {
    const checker = createResponseChecker('getLocation', 418);
    expect(checker.write(encoder.encode('{}'))).toBe(false);
    expect(checker.end()).toEqual({
      ok: false,
      issues: [
        {
          kind: 'shape',
          in: 'body',
          name: '',
          pointer: '',
          rule: 'status',
          message: expect.stringMatching(
            /^the value belongs to no response that the contract lists; listed are 200, 400, /,
          ),
        },
      ],
      byteOffset: 0,
    });
  });

  test.each(['getNothing', 'toString', '__proto__'])('of the operation %s names none', (operationId) => {
    const checker = createResponseChecker(operationId as OperationId, 200);
    checker.write(encoder.encode('{}'));
    expect(checker.end()).toMatchObject({
      issues: [{ rule: 'operation', message: 'the value belongs to no response that the contract lists' }],
    });
    expect(createResponseChecker('getLocation', 'toString' as unknown as number).end().ok).toBe(false);
  });

  test('of bytes that are no JSON says how, and where', () => {
    const said = (document: string) => {
      const found = broken('getLocation', document);
      return `${found?.byteOffset} ${found?.message}`;
    };
    expect(said('')).toBe('0 the value ends too early');
    expect(said('{"data"')).toBe('7 the value ends too early');
    expect(said('{"data":{}')).toBe('10 the value ends too early');
    expect(said('{"da')).toBe('4 the value ends too early');
    expect(said('{} {')).toBe('3 the value holds more than one JSON value');
    expect(said('{} ]')).toBe('3 the value holds more than one JSON value');
    for (const [document, at] of [
      ['{"data":,}', 8],
      ['{"data";1}', 7],
      ['{"data":{} "meta"}', 11],
      ['{"data":tru,"meta":1}', 8],
      ['{"data":01}', 8],
      ['{"a":"b\\x"}', 5],
      ['{"a\\x":1}', 1],
      ['{a:1}', 1],
      ['{"a":1,}', 7],
      ['[1,]', 3],
      ['[}', 1],
      ['?', 0],
    ] as const) {
      expect(said(document)).toBe(`${at} the value is not valid JSON in UTF-8`);
    }
  });

  test('comes with the piece that shows it, and stays', () => {
    const written = (...pieces: string[]) => {
      const checker = createResponseChecker('getLocation', 200);
      return [...pieces.map((piece) => checker.write(encoder.encode(piece))), checker.end().ok];
    };
    expect(written('{"data":{"location":{"heading":', '360', ',', '"latitude":1}},"meta":{}}')).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(written('{"data":{"location":{}}', ',"meta":1', '}', '')).toEqual([true, true, false, false, false]);
    expect(written('{"data":{"location":{}}', '}', ' ')).toEqual([true, false, false, false]);
    expect(written('{"data":{"location":{}},', '?', '"meta":{}}')).toEqual([true, false, false, false]);
    expect(written('{"data":1,', '"data":{"location":{}},"meta":{}}')).toEqual([false, false, true]);
    expect(written('{"data":{"location":{}},"meta":{}}', '')).toEqual([true, true, true]);
  });

  test('of a root that is no object is its type', () => {
    expect(['[]', '1', '"x"', 'null', '[{}]'].map((document) => broken('getLocation', document)?.message)).toEqual(
      Array<string>(5).fill('the value must be an object'),
    );
  });
});
