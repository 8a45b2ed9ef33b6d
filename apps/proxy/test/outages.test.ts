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

it('request identifiers without a place for a VIN are kept, such as those of a trace', () => {
  for (const sent of ['0af7651916cd43dd8448eb211c80319c', 'order-4711']) expect(requestIdFor(sent)).toBe(sent);
  for (const sent of ['aKMHXX00XXXX000001', 'KMHXX00XXXX0000011732000000']) expect(requestIdFor(sent)).not.toBe(sent);
});
