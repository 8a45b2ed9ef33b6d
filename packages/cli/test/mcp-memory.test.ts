import { expect, it } from 'vitest';
import { createMemory } from '../src/mcp/memory.ts';

it('a question of a conversation is asked once, and what was on its way when consent ended is not kept', async () => {
  const memory = createMemory();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked;
  };
  expect([await memory.remember(['a'], ask), await memory.remember(['a'], ask)]).toEqual([1, 1]);
  let arrive = (_: string) => {};
  const slow = memory.remember(['b'], () => new Promise<string>((resolve) => (arrive = resolve)));
  memory.forget();
  arrive('trips of a vehicle that no longer shares data');
  await slow;
  expect(await memory.remember(['b'], async () => 'asked again')).toBe('asked again');
  expect(await memory.remember(['a'], ask)).toBe(2);
});
