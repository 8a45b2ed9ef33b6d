import { describe, expect, test } from 'vitest';
import { OpenValue } from '../../src/stream/open-value.js';
import { anything, group, list } from '../../src/stream/stream-node.js';

const check = () => undefined;

test('the place of a value is a JSON Pointer, whatever the names of its members', () => {
  const outer = new OpenValue(group(check, [['a/b~c/~', false, list(check, anything)]]), undefined);
  outer.begin('a/b~c/~');
  expect(outer.pointer).toBe('/a~1b~0c~1~0');
  const inner = new OpenValue(list(check, anything), outer);
  inner.index = 3;
  expect(inner.pointer).toBe('/a~1b~0c~1~0/3');
});

describe('the member that comes next', () => {
  const text = (written: string) => new TextEncoder().encode(written);
  const open = () =>
    new OpenValue(
      group(check, [
        ['first', true, anything],
        ['se"cond', false, anything],
        ['third', false, anything],
      ]),
      undefined,
    );

  test('is known by its bytes, one behind the other', () => {
    const object = open();
    const bytes = text('{"first":1,"se\\"cond":2,"third":3,"first":4}');
    expect([object.beginNext(bytes, 1), object.member?.name]).toEqual([9, 'first']);
    expect([object.beginNext(bytes, 11), object.member?.name]).toEqual([22, 'se"cond']);
    expect([object.beginNext(bytes, 24), object.member?.name]).toEqual([32, 'third']);
    expect([object.beginNext(bytes, 34), object.member?.name]).toEqual([34, 'third']);
    expect(object.close(0)).toBeUndefined();
  });

  test('is another one after a name that was read', () => {
    const object = open();
    object.begin('se"cond');
    expect(object.beginNext(text('"third":'), 0)).toBe(8);
    object.begin('first');
    expect(object.beginNext(text('"third":'), 0)).toBe(0);
    object.begin('unknown');
    expect(object.member).toBeUndefined();
    expect(object.beginNext(text('"se\\"cond":'), 0)).toBe(11);
  });

  test.each(['"first"', '"first" :', '"firsts":', 'first":', '"', ''])('is not known by %s', (written) => {
    const object = open();
    expect([object.beginNext(text(written), 0), object.member]).toEqual([0, undefined]);
    expect(object.close(7)).toMatchObject({ issue: { pointer: '/first', rule: 'required' }, byteOffset: 7 });
  });

  test('is none in a list', () => {
    expect(new OpenValue(list(check, anything), undefined).beginNext(text('"first":'), 0)).toBe(0);
  });
});
