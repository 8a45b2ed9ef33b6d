// What the general checker asks its node about, when it says so, and what goes through the kernel.
import { describe, expect, test, vi } from 'vitest';
import { add, type Check } from '../../src/findings.js';
import { findKernel, kernelBytes } from '../../src/stream/kernel.js';
import { DocumentChecker } from '../../src/stream/response-checker.js';
import { anyText, group, list, numberList, type StreamNode, scalar } from '../../src/stream/stream-node.js';

const encoder = new TextEncoder();
const refuse: Check = (findings) => add(findings, '', 'refused', 'is refused');
const accept: Check = () => undefined;

function verdictOf(node: StreamNode, document: string, cut = document.length) {
  const bytes = encoder.encode(document);
  const checker = new DocumentChecker(node);
  checker.write(bytes.subarray(0, cut));
  checker.write(bytes.subarray(cut));
  return checker.end();
}

describe('a node', () => {
  test('is asked about the very value that JSON.parse gives', () => {
    const asked: unknown[] = [];
    const record: Check = (_, value) => void asked.push(value);
    const values = [
      'true',
      'false',
      'null',
      '0',
      '-0',
      '1.5e3',
      '"a"',
      '"\\u0061\\n"',
      '"é"',
      '"\\u0061é"',
      '""',
      '{}',
      '[]',
    ];
    for (const value of values) verdictOf(scalar(record), value);
    expect(asked).toEqual(values.map((value) => JSON.parse(value) as unknown));
    for (const value of ['[1,[2]]', '{"a":{"b":1}}']) verdictOf(scalar(record), value);
    // Objects and lists are passed empty, and what they hold is none of its business.
    expect(asked.slice(values.length)).toEqual([[], {}]);
  });

  test('that takes any text is asked about everything else', () => {
    for (const value of ['1', 'true', 'null', '{}', '[]']) expect(verdictOf(anyText(refuse), value).ok).toBe(false);
  });

  test.each(['1', '"x"', 'null', '[1]', '{"a":1}'])('refuses %s, and nothing behind it is asked about', (value) => {
    const node = group(accept, [
      ['a', false, scalar(refuse)],
      ['b', false, list(accept, scalar(refuse))],
    ]);
    expect(verdictOf(node, `{"x":0,"a":${value}}`)).toMatchObject({
      ok: false,
      issues: [{ pointer: '/a' }],
      byteOffset: 11,
    });
    expect(verdictOf(node, `{"b":[${value},2]}`)).toMatchObject({
      ok: false,
      issues: [{ pointer: '/b/0' }],
      byteOffset: 6,
    });
    expect(verdictOf(node, `{"b":[],"x":{"a":${value},"b":[${value}]},"y":[{"a":1}]}`)).toEqual({ ok: true });
  });

  test('that requires a member says where its object ends', () => {
    const node = group(accept, [['a', true, group(accept, [['b', true, scalar(accept)]])]]);
    expect(verdictOf(node, '{"x":1 }')).toMatchObject({ issues: [{ pointer: '/a', rule: 'required' }], byteOffset: 7 });
    expect(verdictOf(node, '{"a":{} }', 3)).toMatchObject({ issues: [{ pointer: '/a/b' }], byteOffset: 6 });
    expect(verdictOf(node, '{"a":{"b":1}}')).toEqual({ ok: true });
    // The names of an unknown member are not those of the object around it.
    expect(verdictOf(node, '{"x":{"a":{"b":1}}}')).toMatchObject({ issues: [{ pointer: '/a' }], byteOffset: 18 });
    expect(verdictOf(node, '{"x":[{"a":{"b":1}}]}')).toMatchObject({ issues: [{ pointer: '/a' }], byteOffset: 20 });
  });
});

describe('a root', () => {
  test('of text with a rule holds at most 65,536 bytes', () => {
    expect(verdictOf(scalar(accept), `"${'x'.repeat(65_536)}"`, 9)).toEqual({ ok: true });
    expect(verdictOf(scalar(accept), `"${'x'.repeat(65_537)}"`, 9)).toEqual({
      ok: false,
      issues: [
        {
          kind: 'shape',
          in: 'body',
          name: '',
          pointer: '',
          rule: 'maxBytes',
          message: 'the value must not be longer than 65536 bytes',
        },
      ],
      byteOffset: 0,
    });
  });

  test.each([' ', ' ]'])('that is a number holds at most 65,536 bytes, wherever it is cut, before %j', (end) => {
    const number = (digits: number) => ` ${'1'.repeat(digits)}${end}`;
    for (const cut of [2, 65_537, 65_538]) {
      expect(verdictOf(scalar(accept), number(65_536), cut).ok).toBe(end === ' ');
      expect(verdictOf(scalar(accept), number(65_537), cut)).toEqual({
        ok: false,
        issues: [
          {
            kind: 'shape',
            in: 'body',
            name: '',
            pointer: '',
            rule: 'json',
            message: 'the value holds a number that is too long',
          },
        ],
        byteOffset: 1,
      });
    }
  });

  test('begins with a byte that a value can begin with; any other is refused at once', () => {
    for (let byte = 0; byte < 256; byte++) {
      const first = new DocumentChecker(scalar(accept));
      const begins = ' \n\r\t"{[-0123456789tfn\u00ef'.includes(String.fromCharCode(byte));
      expect(first.write(Uint8Array.of(byte)), `byte ${byte}`).toBe(begins);
      const member = new DocumentChecker(scalar(accept));
      member.write(encoder.encode('{"a":'));
      expect(member.write(Uint8Array.of(byte)), `byte ${byte}`).toBe(begins && byte !== 0xef);
    }
  });
});

describe('a number without an end', () => {
  test('is refused with the piece that makes it too long', () => {
    const checker = new DocumentChecker(scalar(accept));
    expect(checker.write(encoder.encode('1'.repeat(65_536)))).toBe(true);
    expect(checker.write(encoder.encode('1'))).toBe(false);
  });
});

describe('a long list of numbers', () => {
  const document = (count: number) => encoder.encode(`{"x": [0], "a":[${Array<string>(count).fill('7').join(',')}]}`);
  const node = group(accept, [['a', false, numberList(accept, scalar(accept), true, 0, 9)]]);

  /** From where to where the kernel is asked for numbers, in pieces of so many bytes. */
  function asked(bytes: Uint8Array, size: number) {
    const kernel = findKernel();
    if (!kernel) throw new Error('this runtime has no WebAssembly with SIMD');
    const numbers = vi.spyOn(kernel, 'numbers');
    try {
      const checker = new DocumentChecker(node);
      for (let at = 0; at < bytes.length; at += size) checker.write(bytes.subarray(at, at + size));
      expect(checker.end()).toEqual({ ok: true });
      return numbers.mock.calls.map(([at, end]) => [at, end]);
    } finally {
      numbers.mockRestore();
    }
  }

  test('goes through the kernel from its first item on where a piece has 4,096 bytes, and not where it has fewer', () => {
    const bytes = document(6000);
    expect(asked(bytes, 4095)).toEqual([]);
    const calls = asked(bytes, 4096);
    expect(calls[0]).toEqual([bytes.indexOf(0x37), 4096]);
    // One call a piece, and one for each item that the end of a piece leaves to the careful path.
    expect(calls.length).toBeLessThan(100);
    expect(new Set(calls.map(([, end]) => end))).toEqual(new Set([4096]));
  });

  test('goes through it in parts of its size', () => {
    const bytes = document(100_000);
    const calls = asked(bytes, bytes.length);
    expect(new Set(calls.map(([, end]) => end))).toEqual(new Set([kernelBytes, bytes.length - 3 * kernelBytes]));
  });
});
