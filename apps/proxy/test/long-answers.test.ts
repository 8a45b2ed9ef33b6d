import { createHash } from 'node:crypto';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { certificateForLocalhost } from './support/certificate.ts';
import { listen } from './support/listen.ts';
import { startProxy } from './support/proxy.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

// On both sides of the sizes of the buffers that answers are read into, and well above.
const lengths = [300, 16_383, 16_384, 16_385, 40_000, 524_287, 524_288, 524_289, 12_000_000];
const clients = 6;
const callsOfEach = 9;

/** An answer of this length whose every byte tells which call it is for. */
function bodyFor(call: number, length: number): Buffer {
  const body = Buffer.alloc(length, `${call.toString().padStart(6, '0')} `);
  body.write('{"', 0);
  return body;
}

function digest(body: Buffer): string {
  return createHash('sha1').update(body).digest('hex');
}

it.each([
  ['plainly', null],
  ['over TLS', certificateForLocalhost()],
])(
  'long answers that come side by side and %s, to clients who read at once or slowly, keep their own bytes',
  async (_, certificate) => {
    const usual = getCACertificates('default');
    if (certificate !== null) setDefaultCACertificates([...usual, certificate.cert.toString()]);
    cleanUp.push(() => setDefaultCACertificates(usual));
    const service = await listen((request, response) => {
      const [, call, length] = /^call-(\d+)-(\d+)-/.exec(String(request.headers['x-request-id'])) ?? [];
      const body = bodyFor(Number(call), Number(length));
      const framing = Number(call) % 2 === 0 ? { 'content-length': String(body.length) } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...framing });
      // In two pieces, so that a head comes both with and without the beginning of its body.
      response.write(body.subarray(0, Number(call) % 3));
      response.end(body.subarray(Number(call) % 3));
    }, certificate);
    cleanUp.push(() => service.close());
    const proxy = await startProxy({ upstreamUrl: service.url, deadlineMs: 30_000 });
    cleanUp.push(() => proxy.close());

    const calls = async (client: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      cleanUp.push(() => agent.destroy());
      for (let round = 0; round < callsOfEach; round++) {
        const call = client * callsOfEach + round;
        const length = lengths[(client + round) % lengths.length] ?? 0;
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
          const headers = {
            brand: 'brand_a',
            authorization: 'Bearer t',
            'x-request-id': `call-${call}-${length}-of-a-test`,
          };
          get({ agent, port: proxy.port, path: '/v1/vehicles/consent', headers }, resolve).on('error', reject);
        });
        const pieces: Buffer[] = [];
        for await (const piece of answer) {
          pieces.push(piece as Buffer);
          // Long enough for the kernel's buffers to fill, so that a piece has to wait in the proxy.
          if (client % 2 === 0 && pieces.length === 1) await wait(150);
        }
        const received = Buffer.concat(pieces);
        expect([answer.statusCode, received.length]).toEqual([200, length]);
        expect(digest(received), `call ${call} of ${length} bytes`).toBe(digest(bodyFor(call, length)));
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => calls(client)));
    expect(proxy.records.map(({ code }) => code)).toEqual(Array.from({ length: clients * callsOfEach }, () => ''));
  },
  60_000,
);
