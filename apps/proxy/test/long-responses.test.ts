import { createHash } from 'node:crypto';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { certificateForLocalhost, trust } from './support/certificate.ts';
import { listen } from './support/servers.ts';
import { consent, startProxy } from './support/set-up.ts';

// On both sides of the sizes of the buffers that responses are read into, and well above.
const lengths = [300, 16_383, 16_384, 16_385, 40_000, 524_287, 524_288, 524_289, 6_000_000];
const clients = 6;

/** A body of this length whose every byte tells which request it is for. */
function bodyFor(call: number, length: number): Buffer {
  const body = Buffer.alloc(length, `${call.toString().padStart(6, '0')} `);
  body.write('{"', 0);
  return body;
}

const digest = (body: Buffer) => createHash('sha1').update(body).digest('hex');

it.each([
  ['plainly', null],
  ['over TLS', certificateForLocalhost()],
])(
  'long responses that arrive side by side and %s, to clients that read at once or slowly, keep their own bytes',
  async (_, certificate) => {
    if (certificate !== null) trust(certificate.cert);
    const upstream = await listen((request, response) => {
      const [, call, length] = /^call-(\d+)-(\d+)-/.exec(String(request.headers['x-request-id'])) ?? [];
      const body = bodyFor(Number(call), Number(length));
      const framing = Number(call) % 2 === 0 ? { 'content-length': String(body.length) } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...framing });
      // In two pieces, so that a head comes both with and without the beginning of its body.
      response.write(body.subarray(0, Number(call) % 3));
      response.end(body.subarray(Number(call) % 3));
    }, certificate);
    onTestFinished(upstream.close);
    const proxy = await startProxy({ upstreamUrl: upstream.url, deadlineMs: 30_000 });

    const callInTurns = async (client: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      for (const round of lengths.keys()) {
        const call = client * lengths.length + round;
        const length = lengths[(client + round) % lengths.length] ?? 0;
        const headers = { brand: 'brand_a', 'x-request-id': `call-${call}-${length}-of-a-test` };
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          get({ agent, port: proxy.port, path: consent, headers }, resolve).on('error', reject);
        });
        const pieces: Buffer[] = [];
        for await (const piece of response) {
          pieces.push(piece as Buffer);
          // Long enough for the kernel's buffers to fill, so that a piece has to wait in the proxy.
          if (client % 2 === 0 && pieces.length === 1) await wait(60);
        }
        const received = Buffer.concat(pieces);
        expect([response.statusCode, received.length]).toEqual([200, length]);
        expect(digest(received), `call ${call} of ${length} bytes`).toBe(digest(bodyFor(call, length)));
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => callInTurns(client)));
    expect(proxy.records.map(({ code }) => code)).toEqual(Array(clients * lengths.length).fill(''));
  },
);
