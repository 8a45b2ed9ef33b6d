import { expect, test } from 'vitest';
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
