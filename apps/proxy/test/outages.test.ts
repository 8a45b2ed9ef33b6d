import { expect, it, onTestFinished, vi } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import { requestIdFor } from '../src/request/request-id.js';
import { RedisStore } from '../src/store/redis-store.js';
import { BoundKeys } from '../src/worker/bindings.js';
import { apiKey, recordOf } from './support/api-key.ts';

it('while the KV namespace fails, known API keys stay valid, and not every request reads it', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const get = vi.fn(async () => printKeys([recordOf()]));
  const keys = new BoundKeys({ get }, 'keys.json', false);
  const authenticate = () =>
    keys.authenticate({ method: 'GET', target: '/', requestId: '', peerAddress: '', header: () => apiKey });
  const known = { id: 'abcdefghij' };
  expect(await authenticate()).toMatchObject(known);
  get.mockRejectedValue(new Error('KV is away'));
  vi.setSystemTime(31_000);
  for (let turn = 0; turn < 5; turn++) expect(await authenticate()).toMatchObject(known);
  expect(get).toHaveBeenCalledTimes(2);
  get.mockResolvedValue('no key file');
  vi.setSystemTime(40_000);
  expect(await authenticate()).toMatchObject(known);
  get.mockResolvedValue(printKeys([]));
  vi.setSystemTime(80_000);
  expect(await authenticate()).toBeNull();
});

it('a lock whose reply came too late is released', async () => {
  const released: unknown[] = [];
  const redis = {
    status: 'wait',
    on: () => {},
    set: () => Promise.reject(new Error('Command timed out')),
    eval: async (_script: string, _keys: number, name: string) => void released.push(name),
    disconnect: () => {},
  };
  const store = new RedisStore(redis as never, 'p:');
  await expect(store.lock('token-a', 1000)).rejects.toThrow('timed out');
  expect(released).toEqual(['p:lock:token-a']);
  await store.close();
});

it.each([
  ['aKMHXX00XXXX000001', true],
  ['KMHXX00XXXX0000011732000000', true],
  ['call-KMHXX00XXXX000001-a', true],
  ['0af7651916cd43dd8448eb211c80319c', false],
  ['2f1c5f3e-7a55-4a7e-9a9a-2f8a2d4f7b1c', false],
  ['order-4711', false],
])('the request identifier %s is replaced if it could hold a VIN: %s', (sent, replaced) => {
  expect(requestIdFor(sent) !== sent).toBe(replaced);
});
