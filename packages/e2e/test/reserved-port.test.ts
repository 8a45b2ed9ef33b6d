// The ports of programs that cannot choose one by themselves, or are started again on theirs.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reservedPort } from '../../../scripts/reserved-port.ts';

/** Has the next choices fall on these ports, as they do by chance, before others are chosen. */
function choose(...ports: readonly number[]): void {
  const random = vi.spyOn(Math, 'random');
  onTestFinished(() => random.mockRestore());
  for (const port of ports) random.mockReturnValueOnce((port - 10_000 + 0.5) / 5000);
}

/** Listens on a port until the test has finished; false where that is in use. */
async function listen(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  return once(server, 'listening').then(
    () => true,
    () => false,
  );
}

test('a reserved port can be listened on, and nobody else gets it, also while nothing listens there', async () => {
  const one = await reservedPort();
  choose(one, one);
  expect(await reservedPort()).not.toBe(one);
  expect(await listen(one)).toBe(true);
});

test('a port on which a program listens is not given', async () => {
  let used = 14_999;
  while (!(await listen(used))) used -= 1;
  choose(used);
  expect(await reservedPort()).not.toBe(used);
});

test('what is given is below the ports that a system gives to connections', async () => {
  choose(10_000, 14_999);
  for (const port of [await reservedPort(), await reservedPort()]) {
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(15_000);
  }
});
