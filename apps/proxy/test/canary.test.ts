import { expect, it } from 'vitest';
import { behaviorOf, type Fault, faults, nickname } from './support/faults.ts';
import { startProgram } from './support/program.ts';
import { bytesOf, scenarios } from './support/scenarios.ts';
import { type Behavior, type RawUpstream, responseWith, startRawUpstream } from './support/servers.ts';
import { fastPath, inTurns } from './support/set-up.ts';
import { startSpanCollector } from './support/span-collector.ts';
import { RawClient, statusOf } from './support/wire.ts';

// Unlike anything else, so that a hit is a leak.
const canaries = {
  token: 'cAnArY-tOkEn-93817',
  vin: 'CANARY93817VIN001',
  nickname,
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
  const holds = (canary: string) => low.includes(canary.toLowerCase());
  return Object.values(canaries).filter((canary) => holds(canary) || holds(encodeURIComponent(canary)));
}

/** The error responses from this status on, each as a text, to bytes that are sent: up to the first response, or to the end. */
async function errorsAfter(port: number, bytes: Buffer, fromStatus: number): Promise<string[]> {
  const client = new RawClient(port, () => bytes.toString('latin1').startsWith('HEAD '));
  client.send(bytes);
  await client.responses(1);
  client.close();
  const errors = client.reading().messages.filter((message) => statusOf(message) >= fromStatus);
  return errors.map((message) => JSON.stringify(message.headers) + message.body.toString());
}

/** The request of a fault, full of canaries. */
function requestOf({ method, acceptEncoding }: Partial<Fault> = {}): Buffer {
  const { vin, token } = canaries;
  const line = method === 'DELETE' ? `DELETE /v1/vehicles/consent?vin=${vin}` : `GET /v1/vehicles/${vin}/locations`;
  const coding = acceptEncoding === undefined ? '' : `Accept-Encoding: ${acceptEncoding}\r\n`;
  const headers = `Host: localhost\r\nBrand: brand_a\r\nAuthorization: Bearer ${token}\r\nX-Request-Id: ${vin}\r\n`;
  return Buffer.from(`${line} HTTP/1.1\r\n${headers}${coding}\r\n`);
}

// The identity changes what is sent, and the fast path what rejects; what is written is the same.
const identity = fastPath ? 'static' : 'forward';

async function start(upstream: RawUpstream) {
  const { settings, nodeFlags, spans, received } = await startSpanCollector();
  const own = identity === 'static' ? { VDS_UPSTREAM_AUTH: 'static', VDS_ACCESS_TOKEN: canaries.token } : {};
  const environment = {
    VDS_UPSTREAM_URL: upstream.url,
    VDS_LOG_LEVEL: 'debug',
    VDS_DEADLINE_MS: '700',
    VDS_ADMIN_PORT: '0',
    VDS_SERVER_TIMING: 'true',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_BSP_MAX_QUEUE_SIZE: '100000',
    ...settings,
    ...own,
  };
  const program = await startProgram(environment, [], nodeFlags);
  /** Ends the program, and gives all that it wrote, showed and sent as spans; every request in the log has its span. */
  const everything = async () => {
    const shown = await Promise.all(['/metrics', '/drift', '/tokens'].map(program.adminPage));
    const lines = () => program.output.stderr.split('\n').length - 1;
    await expect.poll(spans).not.toHaveLength(0);
    await expect.poll(() => spans().length - lines()).toBe(0);
    expect(await program.stop()).toMatchObject({ code: 0 });
    return [program.output.stdout, program.output.stderr, ...shown, received()].join('\n');
  };
  return { ...program, everything };
}

it(`no token, VIN, nickname or coordinate of any scenario or fault is in an output at the most verbose log level, or in an error response, with the upstream identity ${identity}`, async () => {
  const upstream = await startRawUpstream();
  const respond: Behavior = (socket) => socket.write(responseWith(body));
  const proxy = await start(upstream);
  const errors: string[] = [];
  upstream.behave = respond;
  await inTurns(scenarios, 12, async (scenario) => {
    const text = bytesOf(scenario, canaries.token).toString('latin1');
    const bytes = text.replaceAll(usualVin, canaries.vin).replaceAll('proxy.test', 'localhost');
    errors.push(...(await errorsAfter(proxy.port, Buffer.from(bytes, 'latin1'), 400)));
  });
  expect(proxy.output.stderr.split('\n').length).toBeGreaterThan(300);
  expect(errors.length).toBeGreaterThan(200);
  for (const fault of faults.filter(({ longBytes }) => longBytes === undefined)) {
    // Two good requests beside each fault keep the circuit breaker closed.
    upstream.behave = respond;
    for (let turn = 0; turn < 2; turn++) await errorsAfter(proxy.port, requestOf(), 500);
    // Most texts of the faults have the nickname already.
    const own = fault.body?.replace('"data":{', `"data":{"n":"${nickname}",`);
    upstream.behave = behaviorOf(own === undefined ? fault : { ...fault, body: own });
    errors.push(...(await errorsAfter(proxy.port, requestOf(fault), 500)));
  }
  const written = await proxy.everything();
  expect(proxy.output.stderr).toContain('upstream-invalid-response');
  expect(hits(written + errors.join('\n'))).toEqual([]);
});
