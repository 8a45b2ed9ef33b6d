import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createResponseChecker, type OperationId } from '../../src/stream.js';
import { streamed } from './both-checkers.ts';

const encoder = new TextEncoder();

/** The rule that a document breaks and where, read in pieces of this many bytes. */
function broken(operationId: OperationId, document: string, bytesAtOnce = 1_000_000_000) {
  const bytes = encoder.encode(document);
  const cuts = Array.from({ length: Math.floor(bytes.length / bytesAtOnce) }, (_, index) => (index + 1) * bytesAtOnce);
  const { verdict } = streamed(operationId, 200, bytes, cuts);
  return verdict.ok ? undefined : { ...verdict.issues[0], byteOffset: verdict.byteOffset };
}

describe.each([1_000_000_000, 1000])('of a body in pieces of %d bytes, at most 65,536 are held:', (bytesAtOnce) => {
  const most = 65_536;
  const longer = (length: number) => 'x'.repeat(length);

  test('text with a rule', () => {
    const vehicles = (vin: string) =>
      broken('listVehicles', `{"data":{"vehicles":[{"vin":"${vin}"}]},"meta":{}}`, bytesAtOnce);
    expect(vehicles(longer(most))).toMatchObject({ rule: 'pattern' });
    const message = '/data/vehicles/0/vin must not be longer than 65536 bytes';
    expect(vehicles(longer(most + 1))).toMatchObject({ rule: 'maxBytes', message, byteOffset: 28 });
  });

  test('names; a longer one is none of the contract', () => {
    for (const length of [most, most + 1]) {
      const document = `{"${longer(length)}":1,"data":{"location":{"heading":361}},"meta":{}}`;
      expect(broken('getLocation', document, bytesAtOnce)).toMatchObject({ rule: 'maximum' });
      expect(broken('getLocation', document.replace('361', '1'), bytesAtOnce)).toBeUndefined();
    }
  });

  test('numbers', () => {
    const heading = (digits: number) =>
      broken('getLocation', `{"data":{"location":{"heading":1.${'0'.repeat(digits)}}},"meta":{}}`, bytesAtOnce);
    expect(heading(most - 2)).toBeUndefined();
    const message = 'the value holds a number that is too long';
    expect(heading(most + 1000)).toMatchObject({ rule: 'json', message, byteOffset: 31 });
  });

  test('and text without a rule can have any length', () => {
    const document = `{"data":{"vehicles":[{"vin":"SANDB0XA000000001","nickname":"${'é'.repeat(most)}"}]},"meta":{}}`;
    expect(broken('listVehicles', document, bytesAtOnce)).toBeUndefined();
  });
});

// Pieces of one byte cost what their bytes do, and far longer text is dropped.
test.each([
  { bytesAtOnce: 1, pieces: 60_000 },
  { bytesAtOnce: 2 ** 20, pieces: 16 },
])('text with a rule takes little memory in pieces: $pieces of $bytesAtOnce bytes', ({ bytesAtOnce, pieces }) => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const used = () => {
    if (typeof collect === 'function') collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const piece = new Uint8Array(bytesAtOnce).fill(120);
  const checkers = Array.from({ length: 4 }, () => createResponseChecker('listVehicles', 200));
  for (const checker of checkers) checker.write(encoder.encode('{"data":{"vehicles":[{"vin":"'));
  const before = used();
  for (let written = 0; written < pieces; written++) for (const checker of checkers) checker.write(piece);
  expect(used() - before).toBeLessThan(checkers.length * 2 ** 20);
});

test('65,536 levels of unknown members are followed, and no more', () => {
  const deep = (levels: number) => `{"data":{"location":{}},"meta":{},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(broken('getLocation', deep(2 ** 16), 1000)).toBeUndefined();
  expect(broken('getLocation', deep(2 ** 16 + 1))).toMatchObject({
    rule: 'json',
    message: 'the value is nested too deeply',
    byteOffset: 38 + 2 ** 16,
  });
});

const invalid = 'is not valid JSON in UTF-8';
test.each([
  { document: '', byteOffset: 0, words: 'ends too early' },
  { document: '{"data"', byteOffset: 7, words: 'ends too early' },
  { document: '{"da', byteOffset: 4, words: 'ends too early' },
  { document: '{} {', byteOffset: 3, words: 'holds more than one JSON value' },
  { document: '{"data":,}', byteOffset: 8, words: invalid },
  { document: '{"data";1}', byteOffset: 7, words: invalid },
  { document: '{"data":{} "meta"}', byteOffset: 11, words: invalid },
  { document: '{"data":tru,"meta":1}', byteOffset: 8, words: invalid },
  { document: '{"a":"b\\x"}', byteOffset: 5, words: invalid },
  { document: '{"a\\x":1}', byteOffset: 1, words: invalid },
  { document: '{a:1}', byteOffset: 1, words: invalid },
  { document: '[}', byteOffset: 1, words: invalid },
  { document: '?', byteOffset: 0, words: invalid },
])('the byte and the reason are told of what is no JSON: $document', ({ document, byteOffset, words }) => {
  expect(broken('getLocation', document)).toMatchObject({ rule: 'json', message: `the value ${words}`, byteOffset });
});

test('the body of a response that the contract does not list is one JSON value too', () => {
  const { verdict } = streamed('getLocation', 418, encoder.encode('1,2]'), []);
  expect(verdict).toMatchObject({ ok: false, issues: [{ rule: 'json' }], byteOffset: 1 });
});

test('a violation is reported with the piece that shows it, and stays, unless the member comes again', () => {
  const written = (...pieces: string[]) => {
    const checker = createResponseChecker('getLocation', 200);
    return [...pieces.map((piece) => checker.write(encoder.encode(piece))), checker.end().ok];
  };
  const pieces = ['{"data":{"location":{"heading":', '360', ',', '"latitude":1}},"meta":{}}'];
  expect(written(...pieces)).toEqual([true, true, false, false, false]);
  expect(written('{"data":{"location":{}}', '}', ' ')).toEqual([true, false, false, false]);
  expect(written('{"data":{"location":{}},', '?', '"meta":{}}')).toEqual([true, false, false, false]);
  expect(written('{"data":1,', '"data":{"location":{}},"meta":{}}')).toEqual([false, false, true]);
});

test.each([
  { story: 'a violation', document: '{"data":{"location":{"heading":360,', issue: { rule: 'maximum', byteOffset: 31 } },
  {
    story: 'the first of two',
    document: '{"data":{"location":{"heading":360,"latitude":91',
    issue: { rule: 'maximum', byteOffset: 31 },
  },
  {
    story: 'the first, also within a number',
    document: '{"data":{"location":{"heading":360,"latitude":9.',
    issue: { rule: 'maximum', byteOffset: 31 },
  },
  { story: 'a number that only lacks its end', document: '{"data":{"location":{"heading":-1', issue: { rule: 'json' } },
  { story: 'bytes that are no JSON', document: '{"data":{"location":{"heading":360}},?', issue: { rule: 'json' } },
])('the verdict on a document that is read no further after it: $story', ({ document, issue }) => {
  expect(broken('getLocation', document)).toMatchObject(issue);
});

test.each([
  { story: 'a list that the contract does not know', operationId: 'getLocation', start: '{"x":[' },
  { story: 'numbers', operationId: 'getDrivingData', start: '{"data":{"trips":[{"odometer":{"value":[' },
] as const)('white space is read once: in $story', async ({ operationId, start }) => {
  // Other files of this worker may have loaded it without the spy.
  vi.resetModules();
  vi.doMock('../../src/stream/number-scan.js', { spy: true });
  onTestFinished(() => {
    vi.doUnmock('../../src/stream/number-scan.js');
    vi.resetModules();
  });
  const { createResponseChecker } = await import('../../src/stream.js');
  const { scanNumbers } = await import('../../src/stream/number-scan.js');
  const checker = createResponseChecker(operationId, 200);
  checker.write(encoder.encode(start + ' '.repeat(20_000)));
  checker.write(encoder.encode('\n'.repeat(20_000)));
  checker.write(encoder.encode('1,2,'));
  const scans = vi.mocked(scanNumbers).mock.calls.length;
  expect(scans).toBeGreaterThan(0);
  expect(scans).toBeLessThan(4);
});
