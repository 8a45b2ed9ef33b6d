import { expect, it } from 'vitest';
import { certificateForLocalhost, trust } from './support/certificate.ts';
import { listen } from './support/servers.ts';
import { consent, locationOf, requestLines, startProxy } from './support/set-up.ts';
import { type RawClient, statusOf } from './support/wire.ts';

// On both sides of the sizes of the buffers that responses are read into, and well above.
const lengths = [300, 16_383, 16_384, 16_385, 40_000, 524_287, 524_288, 524_289, 6_000_000];
const clients = 4;

/** A body of this length whose every byte tells which request it is for. */
function bodyFor(call: number, length: number): Buffer {
  const body = Buffer.alloc(length, `${call.toString().padStart(6, '0')} `);
  body.write('{"', 0);
  return body;
}

it.each([
  { how: 'plainly', certificate: null },
  { how: 'over TLS', certificate: certificateForLocalhost() },
])(
  'long responses that arrive side by side, to clients that read at once or slowly, keep their own bytes: $how',
  async ({ certificate }) => {
    if (certificate !== null) trust(certificate.cert);
    const held: (() => void)[] = [];
    const upstreamUrl = await listen((request, response) => {
      if (request.url === locationOf()) {
        response.setHeader('content-type', 'application/json');
        if (held.push(() => response.end('{}')) === clients) for (const respond of held) respond();
        return;
      }
      const [, call, length] = /^call-(\d+)-(\d+)-/.exec(String(request.headers['x-request-id'])) ?? [];
      const body = bodyFor(Number(call), Number(length));
      const framing = Number(call) % 2 === 0 ? { 'content-length': String(body.length) } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...framing });
      // In two pieces, so that a head comes both with and without the beginning of its body.
      response.write(body.subarray(0, Number(call) % 3));
      response.end(body.subarray(Number(call) % 3));
    }, certificate);
    const proxy = await startProxy({ upstreamUrl, deadlineMs: 30_000 });

    // Connections to the upstream are made before this process is busy with both ends of all others: TLS takes many turns.
    const connections = Array.from({ length: clients }, proxy.connect);
    await Promise.all(connections.map((connection) => connection.request(requestLines(`GET ${locationOf()}`))));

    const callInTurns = async (connection: RawClient, client: number) => {
      for (const round of lengths.keys()) {
        const call = client * lengths.length + round;
        const length = lengths[(client + round) % lengths.length] ?? 0;
        if (client % 2 === 0)
          connection.socket.once('data', () => {
            connection.socket.pause();
            // Long enough for the kernel's buffers to fill, so that a piece has to wait in the proxy.
            setTimeout(() => connection.socket.resume(), 60);
          });
        const response = await connection.request(
          requestLines(`GET ${consent}`, `X-Request-Id: call-${call}-${length}-of-a-test`),
        );
        expect([statusOf(response), response?.body.length]).toEqual([200, length]);
        expect(response?.body.equals(bodyFor(call, length)), `call ${call} of ${length} bytes`).toBe(true);
      }
    };
    await Promise.all(connections.map(callInTurns));
    expect(proxy.records.map(({ code }) => code)).toEqual(Array(clients * (1 + lengths.length)).fill(''));
  },
);
