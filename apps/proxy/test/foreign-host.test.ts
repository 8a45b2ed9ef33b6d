import { expect, it } from 'vitest';
import { startPair } from './support/set-up.ts';
import { statusOf } from './support/wire.ts';

const ownNames = ['localhost', 'localhost:8787', '127.0.0.1:8787', '[::1]:8787', 'LOCALHOST'];
// As of a web page whose name was made to point to this machine.
const foreignNames = ['evil.test', 'evil.test:8787', 'localhost.evil.test', '127.0.0.1.evil.test', '10.0.0.1'];

it.each([
  {
    what: 'rejects them where it adds its token',
    upstreamAuth: { kind: 'static', accessToken: 'own-token' },
    expected: 400,
  },
  { what: 'accepts them where it forwards tokens of clients', upstreamAuth: { kind: 'forward' }, expected: 200 },
] as const)('a proxy on this machine knows foreign names, and $what', async ({ upstreamAuth, expected }) => {
  // As the program sets it where clients are not authenticated; `test/settings.test.ts` shows that it does.
  const { upstream, connect } = await startPair(undefined, { upstreamAuth, localHostOnly: true });
  const statusFor = async (host: string) =>
    statusOf(await connect().request(`GET /v1/vehicles/consent HTTP/1.1\r\nHost: ${host}\r\nBrand: brand_a\r\n\r\n`));
  for (const host of ownNames) expect([host, await statusFor(host)]).toEqual([host, 200]);
  for (const host of foreignNames) expect([host, await statusFor(host)]).toEqual([host, expected]);
  expect(upstream.requests()).toHaveLength(expected === 200 ? 10 : 5);
});
