import { describe, expect, it } from 'vitest';
import { startProgram } from './support/program.ts';
import { startUpstream, successBody } from './support/servers.ts';
import { consent, locationOf } from './support/set-up.ts';
import { startSpanCollector } from './support/span-collector.ts';

const location = locationOf();
const template = '/v1/vehicles/{vin}/locations';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;

/** A program that was started with an SDK, an upstream and a collector. */
async function startTraced(newerApi = false) {
  const body = successBody({ nickname: 'zebra' });
  const upstream = await startUpstream(({ url }) => {
    if (url === consent) return null;
    return url.endsWith('batteries') ? { body, headers: { 'content-length': '5000' } } : { body };
  });
  const { settings, nodeFlags, ...collector } = await startSpanCollector(newerApi);
  const own = { VDS_UPSTREAM_URL: upstream.url, VDS_LOG_LEVEL: 'silent', VDS_BODY_IDLE_MS: '1000' };
  const program = await startProgram({ ...own, ...settings }, [], nodeFlags);
  const call = async (path: string, headers: Record<string, string> = {}) =>
    (await program.call(path, { authorization: 'Bearer secret-zebra', ...headers })).status;
  return { call, collector, seen: upstream.seen };
}

describe('spans that the OpenTelemetry SDK sends to a collector', () => {
  it.each([
    { api: 'its own API', newerApi: false },
    { api: 'the API of another SDK, which is newer', newerApi: true },
  ])('are children of the client, through $api', async ({ newerApi }) => {
    const { call, collector } = await startTraced(newerApi);
    const before = Date.now();
    expect(await call(location, { traceparent, tracestate: 'zebra=1' })).toBe(200);
    await expect.poll(collector.spans).toHaveLength(1);
    const [span] = collector.spans();
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

  it('are the parents of those of the upstream, and say what was rejected and what failed', async () => {
    const { call, collector, seen } = await startTraced();
    expect(await call(location, { traceparent, tracestate: 'a=1,b=2' })).toBe(200);
    // The client does not sample this one.
    expect(await call(location, { traceparent: traceparent.replace(/1$/, '0') })).toBe(200);
    expect(await call(location)).toBe(200);
    expect(await call(`${location}?zebra=1`)).toBe(400);
    expect(await call(consent)).toBe(502);
    await expect(call(location.replace('locations', 'batteries'))).rejects.toThrow();
    await expect.poll(collector.spans).toHaveLength(5);
    const [child, root, rejected, failed, cut] = collector.spans();
    expect(seen[0]?.headers).toMatchObject({ traceparent: `00-${traceId}-${child?.spanId}-01`, tracestate: 'a=1,b=2' });
    expect(child?.parentSpanId).toBe(parentId);
    expect(root?.parentSpanId ?? '').toBe('');
    expect(root?.traceId).not.toBe(traceId);
    expect(seen[2]?.headers['traceparent']).toBe(`00-${root?.traceId}-${root?.spanId}-01`);
    expect(seen[2]?.headers).not.toHaveProperty('tracestate');
    expect(rejected?.attributes).toMatchObject({ 'http.response.status_code': 400, 'error.type': '4002' });
    // A mistake of the client is no error of the server: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status
    expect(rejected?.status?.code ?? 0).toBe(0);
    const error = { 'http.response.status_code': 502, 'error.type': 'upstream-invalid-response' };
    expect(failed).toMatchObject({ attributes: error, status: { code: 2 } });
    const half = { 'http.response.status_code': 200, 'error.type': 'upstream-timeout' };
    expect(cut).toMatchObject({ attributes: half, status: { code: 2 } });
    expect(collector.received()).not.toMatch(/TESTVEHCLE|zebra/);
  });
});
