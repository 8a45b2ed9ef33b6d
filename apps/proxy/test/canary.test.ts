import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Fault, faults } from './faults/fault-list.ts';
import { receiveLong } from './faults/run-fault.ts';
import { runToEnd, startProgram } from './support/program.ts';
import { fastPath } from './support/proxy.ts';
import { RawClient, statusOf } from './support/raw-client.ts';
import { type RecordingUpstream, responseWith } from './support/recording-upstream.ts';
import { bytesOf, readStories } from './support/scenario-files.ts';
import { startProxy, startRawUpstream } from './support/set-up.ts';
import { startSpanCollector } from './support/span-collector.ts';

// Unlike anything else, so that a hit is a leak.
const canaries = {
  token: 'cAnArY-tOkEn-93817',
  vin: 'CANARY93817VIN001',
  nickname: 'Canary Nickname 93817',
  latitude: '48.938171234',
};
const usualVin = /KMHXX00XXXX00000[0-9]/g;

const body = JSON.stringify({
  data: {
    vehicles: [{ vin: canaries.vin, type: 'EV', nickname: canaries.nickname, name: 1, sellname: 2 }],
    location: { latitude: Number(canaries.latitude), longitude: canaries.latitude, heading: 9999 },
  },
  meta: { code: 200, message: canaries.nickname, success: 'true', requestId: canaries.vin },
});

function hits(text: string): string[] {
  const low = text.toLowerCase();
  return Object.entries(canaries)
    .filter(
      ([, canary]) => low.includes(canary.toLowerCase()) || low.includes(encodeURIComponent(canary).toLowerCase()),
    )
    .map(([name]) => name);
}

/** Sends bytes and gives everything that came back within a moment. */
async function send(port: number, bytes: Buffer, waitMs: number): Promise<RawClient> {
  const client = new RawClient(port);
  client.send(bytes);
  await client.responses(1, waitMs).catch(() => {});
  client.close();
  return client;
}

async function inTurns<T>(items: readonly T[], width: number, each: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await each(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

const goodCall = Buffer.from(
  `GET /v1/vehicles/${canaries.vin}/locations HTTP/1.1\r\nHost: localhost\r\nBrand: brand_a\r\nAuthorization: Bearer ${canaries.token}\r\nX-Request-Id: ${canaries.vin}\r\n\r\n`,
);

/** The request of a fault, full of canaries. */
function requestOf({ method, acceptEncoding }: Fault): Buffer {
  let text = goodCall.toString();
  if (method === 'DELETE') text = text.replace(/^\S+ \S+/, `DELETE /v1/vehicles/consent?vin=${canaries.vin}`);
  if (acceptEncoding !== undefined) text = text.replace('\r\n', `\r\nAccept-Encoding: ${acceptEncoding}\r\n`);
  return Buffer.from(text);
}

const planted = `"n":"${canaries.nickname}",`;

/** The bytes of an upstream with a canary in their data; a length beside it grows with it, so that the fault stays what it is. */
function withCanary(bytes: Buffer | string): Buffer {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.includes('"data":{')) return Buffer.from(bytes);
  const longer = text.replaceAll(
    /(Content-Length: )(\d+)/g,
    (_all, name: string, length: string) => `${name}${BigInt(length) + BigInt(planted.length)}`,
  );
  return Buffer.from(longer.replace('"data":{', `"data":{${planted}`), 'latin1');
}

const openTelemetry = fileURLToPath(new URL('support/open-telemetry.ts', import.meta.url));
const isLong = (fault: Fault) => fault.bodyBytes !== undefined && fault.bodyBytes > 1_000_000;

// Without the fast path, what rejects requests is another; what is written is the same.
const identities = fastPath ? ['forward', 'static'] : ['forward'];

describe.each(identities)('at the most verbose log level, with the upstream identity %s', (identity) => {
  async function start(upstream: RecordingUpstream, deadlineMs = 700) {
    const collector = await startSpanCollector();
    const own = identity === 'static' ? { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: canaries.token } : {};
    const settings = {
      VDS_UPSTREAM_URL: upstream.url,
      VDS_LOG_LEVEL: 'debug',
      VDS_DEADLINE_MS: String(deadlineMs),
      VDS_ADMIN_PORT: '0',
      VDS_SERVER_TIMING: 'true',
      VDS_TRACES: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_BSP_MAX_QUEUE_SIZE: '100000',
      ...own,
    };
    const program = await startProgram(settings, [], ['--import', openTelemetry]);
    onTestFinished(collector.close);
    /** Ends the program, and gives all that it wrote, showed and sent as spans; every request in the log has its span. */
    const everything = async () => {
      const shown = await Promise.all(['/metrics', '/drift', '/tokens'].map(program.adminPage));
      const lines = () => program.output.stderr.split('\n').length - 1;
      await expect.poll(() => collector.spans() - lines()).toBe(0);
      expect(collector.spans()).toBeGreaterThan(0);
      expect(await program.stop()).toMatchObject({ code: 0 });
      return [program.output.stdout, program.output.stderr, ...shown, collector.received()].join('\n');
    };
    return { ...program, everything };
  }

  it('no token, VIN, nickname or coordinate of any scenario is in an output, or in a response of the proxy itself', async () => {
    const upstream = await startRawUpstream((socket) => socket.write(responseWith(body)));
    const proxy = await start(upstream);
    const inputs = readStories().flatMap((story) => story.cases.map((each) => bytesOf(story, each, canaries.token)));
    const rejections: string[] = [];
    await inTurns(inputs, 12, async (input) => {
      const text = input.toString('latin1').replaceAll(usualVin, canaries.vin).replaceAll('proxy.test', 'localhost');
      const { messages } = (await send(proxy.port, Buffer.from(text, 'latin1'), 1000)).reading();
      for (const message of messages)
        if (statusOf(message) >= 400) rejections.push(JSON.stringify(message.headers) + message.body.toString());
    });
    const written = await proxy.everything();
    expect(proxy.output.stderr.split('\n').length).toBeGreaterThan(300);
    expect(rejections.length).toBeGreaterThan(200);
    expect(hits(written)).toEqual([]);
    expect(hits(rejections.join('\n'))).toEqual([]);
  }, 60_000);

  it.each([
    ['any fault', faults.filter((each) => !isLong(each)), 700],
    // Once is enough: it differs in its length alone.
    ...(identity === 'static' ? ([['a fault of 100 MB', faults.filter(isLong), 30_000]] as const) : []),
  ] as const)(
    'no token, VIN, nickname or coordinate of %s is in an output, or in a response of the proxy itself',
    async (_name, list, deadlineMs) => {
      const upstream = await startRawUpstream();
      const proxy = await start(upstream, deadlineMs);
      expect(list.length).toBeGreaterThan(0);
      const rejections: string[] = [];
      for (const fault of list) {
        // Two good requests beside each fault keep the circuit breaker closed.
        upstream.behave = (socket) => socket.write(responseWith(body));
        await send(proxy.port, goodCall, 1000);
        await send(proxy.port, goodCall, 1000);
        upstream.behave = (socket, request, record) => {
          // What the upstream sends in its fault carries a canary as well.
          socket.write = ((bytes: Buffer | string, ...rest: []) =>
            Socket.prototype.write.call(socket, withCanary(bytes), ...rest)) as typeof socket.write;
          fault.service(socket, request, record);
        };
        if (isLong(fault)) {
          const client = new RawClient(proxy.port);
          onTestFinished(() => client.close());
          client.send(requestOf(fault));
          await receiveLong(client, (fault.bodyBytes ?? 0) + planted.length);
          continue;
        }
        const isSlow = fault.outcome.startsWith('504') || fault.outcome === 'cut';
        const client = await send(proxy.port, requestOf(fault), isSlow ? 100 : 1000);
        for (const message of client.reading().messages)
          if (statusOf(message) >= 500) rejections.push(JSON.stringify(message.headers) + message.body.toString());
      }
      const written = await proxy.everything();
      if (!list.some(isLong)) expect(proxy.output.stderr).toContain('upstream-invalid-response');
      expect(hits(written)).toEqual([]);
      expect(hits(rejections.join('\n'))).toEqual([]);
    },
    60_000,
  );
});

it('the drift report holds places and rules of wrong responses, and no value of them', async () => {
  const upstream = await startRawUpstream((socket) => socket.write(responseWith(body)));
  const proxy = await startProxy({ upstreamUrl: upstream.url });
  await send(proxy.port, goodCall, 1000);
  await send(proxy.port, Buffer.from(goodCall.toString().replace(/\S+\/locations/, '/v1/vehicles/consent')), 1000);
  const findings = () => proxy.pipeline.drift.snapshot().findings;
  await expect.poll(() => findings().map(({ operationId }) => operationId)).toContain('listVehicles');
  expect(hits(JSON.stringify(findings()))).toEqual([]);
});

it('a start that fails does not print the token', async () => {
  const { url, port } = await startRawUpstream();
  const settings = { VDS_UPSTREAM_URL: url, VDS_UPSTREAM_AUTH: 'static', VDS_PORT: String(port) };
  const run = await runToEnd({ ...settings, VDS_ACCESS_TOKEN: canaries.token });
  expect(run.code).toBe(1);
  expect(hits(run.stderr + run.stdout)).toEqual([]);
});
