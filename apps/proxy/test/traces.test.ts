import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProgram } from './support/program.ts';
import { successBody } from './support/recording-upstream.ts';
import { consent, locationOf, startUpstream } from './support/set-up.ts';
import { startSpanCollector } from './support/span-collector.ts';

const location = locationOf();
const template = '/v1/vehicles/{vin}/locations';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

const sdk = new URL('support/open-telemetry.ts', import.meta.url);
const sdkWithNewerApi = new URL('support/open-telemetry-newest.ts', import.meta.url);

/** A program that was started with this SDK, an upstream and a collector. */
async function startTraced(preload = sdk) {
  const body = successBody({ nickname: 'zebra' });
  const upstream = await startUpstream(({ url }) => (url === consent ? null : { body }));
  const collector = await startSpanCollector();
  onTestFinished(collector.close);
  const settings = {
    VDS_UPSTREAM_URL: upstream.url,
    VDS_TRACES: 'true',
    VDS_LOG_LEVEL: 'silent',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
  const program = await startProgram(settings, [], ['--import', fileURLToPath(preload)]);
  const call = async (path: string, headers: Record<string, string> = {}) =>
    (await program.call(path, { authorization: 'Bearer secret-zebra', ...headers })).status;
  return { call, collector, seen: upstream.seen };
}

describe('spans that the OpenTelemetry SDK sends to a collector', () => {
  it.each([
    ['its own API', sdk],
    ['the API of another SDK, which is newer', sdkWithNewerApi],
  ])('are children of the client, through %s', async (_, preload) => {
    const { call, collector } = await startTraced(preload);
    const before = Date.now();
    expect(await call(location, { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'zebra=1' })).toBe(200);
    await expect.poll(collector.spans).toBe(1);
    const [span] = collector.parsed();
    expect(span).toMatchObject({ traceId, parentSpanId: parentId, name: `GET ${template}`, kind: 2 });
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': template,
      'http.response.status_code': 200,
    });
    const [startMs, endMs] = [Number(span?.startTimeUnixNano) / 1e6, Number(span?.endTimeUnixNano) / 1e6];
    expect(startMs).toBeGreaterThanOrEqual(before - 1);
    expect(endMs).toBeGreaterThanOrEqual(startMs);
    expect(endMs).toBeLessThanOrEqual(Date.now());
    expect(collector.received()).not.toMatch(/TESTVEHCLE|zebra/);
  });

  it('are the parents of those of the upstream, with and without a trace of the client', async () => {
    const { call, collector, seen } = await startTraced();
    const traceparent = `00-${traceId}-${parentId}-01`;
    expect(await call(location, { traceparent, tracestate: 'a=1,b=2' })).toBe(200);
    // The client does not sample this one.
    expect(await call(location, { traceparent: traceparent.replace(/1$/, '0') })).toBe(200);
    expect(await call(location)).toBe(200);
    await expect.poll(collector.spans).toBe(2);
    const [child, root] = collector.parsed();
    expect(seen[0]?.headers).toMatchObject({ traceparent: `00-${traceId}-${child?.spanId}-01`, tracestate: 'a=1,b=2' });
    expect(child?.parentSpanId).toBe(parentId);
    expect(root?.parentSpanId ?? '').toBe('');
    expect(root?.traceId).not.toBe(traceId);
    expect(seen[2]?.headers['traceparent']).toBe(`00-${root?.traceId}-${root?.spanId}-01`);
    expect(seen[2]?.headers).not.toHaveProperty('tracestate');
  });

  it('say what was rejected and what failed, without what was sent', async () => {
    const { call, collector } = await startTraced();
    expect(await call(`${location}?zebra=1`)).toBe(400);
    expect(await call(consent)).toBe(502);
    await expect.poll(collector.spans).toBe(2);
    const [rejected, failed] = collector.parsed();
    expect(rejected?.attributes).toMatchObject({ 'http.response.status_code': 400, 'error.type': '4002' });
    // A mistake of the client is no error of the server: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status
    expect(rejected?.status?.code ?? 0).toBe(0);
    expect(failed?.attributes).toMatchObject({
      'http.response.status_code': 502,
      'error.type': 'upstream-invalid-response',
    });
    expect(failed?.status?.code).toBe(2);
    expect(collector.received()).not.toMatch(/TESTVEHCLE|zebra/);
  });
});
