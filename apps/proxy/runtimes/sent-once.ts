import { createServer, type Server, type Socket } from 'node:net';
import type { RuntimeName } from './exceptions.ts';
import { freePort, startRuntime } from './start-runtime.ts';

const good = JSON.stringify({
  data: { vehicles: [] },
  meta: { code: 200, message: 'ok', success: 'true', timestamp: '2026-01-01T00:00:00Z', requestId: 'upstream-1' },
});
const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${good.length}\r\n\r\n${good}`;

/** What the upstream does with a DELETE. */
const endings: readonly (readonly [name: string, end: (socket: Socket) => void, expected: string])[] = [
  ['closes', (socket) => void socket.end(), '502 upstream-invalid-response'],
  ['resets', (socket) => void socket.resetAndDestroy(), '502 upstream-invalid-response'],
  ['responds', (socket) => void socket.write(whole), '200 '],
];

/**
 * Plays a GET, which leaves a connection open, and then a DELETE that the upstream breaks: it must be sent once, and be reported as one that may
 * have taken effect. Returns what was otherwise.
 */
export async function runSentOnce(runtime: RuntimeName): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, end, expected] of endings) {
    const upstream = await startUpstream(end);
    const proxy = {
      port: await freePort(),
      identity: 'forward',
      config: {
        upstreamUrl: upstream.url,
        upstreamAuth: { kind: 'forward' },
        allowStopAll: false,
        validateResponses: 'off',
      },
    } as const;
    const started = await startRuntime(runtime, [proxy]);
    const headers = { brand: 'brand_a', authorization: 'Bearer t' };
    const address = `http://127.0.0.1:${proxy.port}/v1/vehicles/consent`;
    for (let turn = 0; turn < 2; turn++) await (await fetch(address, { headers })).arrayBuffer();
    const response = await fetch(`${address}?vin=KMHXX00XXXX000001`, { method: 'DELETE', headers });
    const body = (await response.json()) as { readonly error?: { readonly code: string } };
    const got = `${response.status} ${body.error?.code ?? ''}`;
    if (got !== expected) found.push(`a DELETE that the upstream ${name}: ${got} instead of ${expected}`);
    if (upstream.deletes() !== 1) found.push(`a DELETE that the upstream ${name} was sent ${upstream.deletes()} times`);
    started.stop();
    upstream.server.close();
  }
  return found;
}

async function startUpstream(end: (socket: Socket) => void) {
  let deletes = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (!bytes.toString('latin1').startsWith('DELETE')) socket.write(whole);
      else {
        deletes++;
        end(socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, server, deletes: () => deletes };
}
