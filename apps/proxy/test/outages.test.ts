import { hash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { printKeys } from '../src/auth/key-record.js';
import { requestIdFor } from '../src/request/request-id.js';
import { RedisStore } from '../src/store/redis-store.js';
import { BoundKeys } from '../src/worker/bindings.js';

afterEach(() => {
  vi.useRealTimers();
});

it('while the KV namespace fails, known API keys stay valid, and not every request asks it', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  const key = `vds_abcdefghij_${'k'.repeat(43)}`;
  const record = { id: 'abcdefghij', hash: hash('sha256', key, 'hex'), name: '', created: '2026-01-01T00:00:00.000Z' };
  const open = { expires: null, brands: null, operations: null, vehicles: null, rate: null, revoked: null };
  let asked = 0;
  let get = async () => printKeys([{ ...record, ...open }]);
  const namespace = {
    get() {
      asked++;
      return get();
    },
  };
  const keys = new BoundKeys(namespace, 'keys.json', false);
  const request = { method: 'GET', target: '/', requestId: '', peerAddress: '', header: () => key };
  expect(await keys.authenticate(request)).toMatchObject({ id: 'abcdefghij' });
  get = () => Promise.reject(new Error('KV is away'));
  vi.setSystemTime(31_000);
  for (let turn = 0; turn < 5; turn++) expect(await keys.authenticate(request)).toMatchObject({ id: 'abcdefghij' });
  expect(asked).toBe(2);
  get = async () => 'no key file';
  vi.setSystemTime(40_000);
  expect(await keys.authenticate(request)).toMatchObject({ id: 'abcdefghij' });
  get = async () => printKeys([]);
  vi.setSystemTime(80_000);
  expect(await keys.authenticate(request)).toBeNull();
});

it('a lock whose reply came too late is released', async () => {
  const released: unknown[] = [];
  const redis = {
    status: 'wait',
    on: () => {},
    set: (_name: string, mark: string) => Promise.reject(Object.assign(new Error('Command timed out'), { mark })),
    eval: async (_script: string, _keys: number, name: string) => void released.push(name),
    disconnect: () => {},
  };
  const store = new RedisStore(redis as never, 'p:');
  await expect(store.lock('token-a', 1000)).rejects.toThrow('timed out');
  expect(released).toEqual(['p:lock:token-a']);
  await store.close();
});

it.each(['aKMHXX00XXXX000001', 'KMHXX00XXXX0000011732000000', 'call-KMHXX00XXXX000001-a'])(
  'a request identifier that could hold a VIN is replaced: %s',
  (sent) => {
    expect(requestIdFor(sent)).not.toBe(sent);
  },
);

it.each(['0af7651916cd43dd8448eb211c80319c', '2f1c5f3e-7a55-4a7e-9a9a-2f8a2d4f7b1c', 'order-4711'])(
  'a request identifier that cannot stays: %s',
  (sent) => {
    expect(requestIdFor(sent)).toBe(sent);
  },
);
