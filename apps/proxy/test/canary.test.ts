import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { faults } from './faults/fault-list.ts';
import { runProgram, startProgram } from './support/program.ts';
import { startProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-caller.ts';
import { answerWith, type RecordingUpstream, startRecordingUpstream } from './support/recording-upstream.ts';
import { bytesOf, readStories } from './support/scenario-files.ts';

// Unlike anything else, so that a hit is a leak.
const canaries = {
  token: 'cAnArY-tOkEn-93817',
  vin: 'CANARY93817VIN001',
  nickname: 'Canary Nickname 93817',
  latitude: '48.938171234',
};
const usualVin = /KMHXX00XXXX00000[0-9]/g;

const answer = JSON.stringify({
  data: {
    vehicles: [{ vin: canaries.vin, type: 'EV', nickname: canaries.nickname, name: 1, sellname: 2 }],
    location: { latitude: Number(canaries.latitude), longitude: canaries.latitude, heading: 9999 },
  },
  meta: { code: 200, message: canaries.nickname, success: 'true', requestId: canaries.vin },
});

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
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
async function exchange(port: number, bytes: Buffer, waitMs: number): Promise<RawCaller> {
  const caller = new RawCaller(port);
  caller.send(bytes);
  await caller.answers(1, waitMs).catch(() => {});
  caller.close();
  return caller;
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

/** Everything that the admin port shows. */
async function adminPages(stdout: string): Promise<string> {
  const address = /metrics on (http:\S+)\/metrics/.exec(stdout)?.[1];
  const pages = ['/metrics', '/drift', '/tokens'].map(async (path) => {
    const page = await fetch(`${address}${path}`);
    expect(page.status).toBe(200);
    return page.text();
  });
  return (await Promise.all(pages)).join('\n');
}

describe.each(['forward', 'static'])('at the most verbose log level, with the upstream identity %s', (identity) => {
  async function start(upstream: RecordingUpstream) {
    const own = identity === 'static' ? { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: canaries.token } : {};
    const settings = {
      VDS_UPSTREAM_URL: upstream.url,
      VDS_LOG_LEVEL: 'debug',
      VDS_DEADLINE_MS: '700',
      VDS_ADMIN_PORT: '0',
      VDS_SERVER_TIMING: 'true',
      ...own,
    };
    const proxy = await startProgram(settings);
    cleanUp.push(
      () => upstream.close(),
      () => proxy.process.kill('SIGKILL'),
    );
    return proxy;
  }

  it('no token, VIN, nickname or coordinate of any scenario is in an output, or in an answer of the proxy itself', async () => {
    const upstream = await startRecordingUpstream((socket) => socket.write(answerWith(answer)));
    const proxy = await start(upstream);
    const inputs = readStories().flatMap((story) => story.cases.map((each) => bytesOf(story, each, canaries.token)));
    const refusals: string[] = [];
    await inTurns(inputs, 12, async (input) => {
      const text = input.toString('latin1').replaceAll(usualVin, canaries.vin).replaceAll('proxy.test', 'localhost');
      const { messages } = (await exchange(proxy.port, Buffer.from(text, 'latin1'), 1000)).reading();
      for (const message of messages)
        if (statusOf(message) >= 400) refusals.push(JSON.stringify(message.headers) + message.body.toString());
    });
    const shown = await adminPages(proxy.output.stdout);
    proxy.process.kill('SIGTERM');
    expect(await proxy.exit).toBe(0);
    expect(proxy.output.stderr.split('\n').length).toBeGreaterThan(300);
    expect(refusals.length).toBeGreaterThan(200);
    expect(hits(proxy.output.stdout + proxy.output.stderr + shown)).toEqual([]);
    expect(hits(refusals.join('\n'))).toEqual([]);
  }, 60_000);

  it('no token, VIN, nickname or coordinate of any fault is in an output, or in an answer of the proxy itself', async () => {
    const upstream = await startRecordingUpstream();
    const proxy = await start(upstream);
    const refusals: string[] = [];
    for (const fault of faults.filter((each) => each.bodyBytes === undefined)) {
      // Two good calls beside each fault keep the circuit breaker closed.
      upstream.behave = (socket) => socket.write(answerWith(answer));
      await exchange(proxy.port, goodCall, 1000);
      await exchange(proxy.port, goodCall, 1000);
      upstream.behave = (socket, request, record) => {
        const write = socket.write.bind(socket);
        // What the service says in its fault carries the canaries as well.
        socket.write = ((bytes: Buffer | string, ...rest: []) =>
          write(
            Buffer.from(bytes.toString().replace('"data":{', `"data":{"n":"${canaries.nickname}",`)),
            ...rest,
          )) as typeof socket.write;
        fault.service(socket, request, record);
      };
      const isSlow = fault.outcome.startsWith('504') || fault.outcome === 'cut';
      const caller = await exchange(proxy.port, goodCall, isSlow ? 100 : 1000);
      for (const message of caller.reading().messages)
        if (statusOf(message) >= 500) refusals.push(JSON.stringify(message.headers) + message.body.toString());
    }
    const shown = await adminPages(proxy.output.stdout);
    proxy.process.kill('SIGTERM');
    await proxy.exit;
    expect(proxy.output.stderr).toContain('upstream-invalid-answer');
    expect(hits(proxy.output.stdout + proxy.output.stderr + shown)).toEqual([]);
    expect(hits(refusals.join('\n'))).toEqual([]);
  }, 60_000);
});

describe('the drift report', () => {
  it('holds places and rules of wrong answers, and no value of them', async () => {
    const upstream = await startRecordingUpstream((socket) => socket.write(answerWith(answer)));
    const proxy = await startProxy({ upstreamUrl: upstream.url });
    cleanUp.push(
      () => proxy.close(),
      () => upstream.close(),
    );
    await exchange(proxy.port, goodCall, 1000);
    await exchange(
      proxy.port,
      Buffer.from(`GET /v1/vehicles/consent HTTP/1.1\r\nHost: p\r\nBrand: brand_a\r\n\r\n`),
      1000,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const report = proxy.core.drift.snapshot();
    expect(report.findings.length).toBeGreaterThan(0);
    expect(hits(JSON.stringify(report))).toEqual([]);
  });
});

describe('a start that fails', () => {
  it('does not say the token it was given', async () => {
    const busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => busy.close());
    const address = busy.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const settings = {
      VDS_UPSTREAM_URL: 'http://127.0.0.1:9',
      VDS_UPSTREAM_AUTH: 'static',
      VDS_ACCESS_TOKEN: canaries.token,
    };
    const run = runProgram({ ...settings, VDS_PORT: String(port) });
    expect(await run.exit).toBe(1);
    expect(hits(run.output.stderr + run.output.stdout)).toEqual([]);
  });
});
