import { type OperationSpec, operations } from '@vehicle-data/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servedOperations } from '../src/config.js';
import { compileRoutes } from '../src/request/routes.js';
import { startProxy, type TestProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-client.ts';
import { answerSuccess, type RecordingUpstream, startRecordingUpstream } from './support/recording-upstream.ts';

/** A value that a parameter's schema allows; a new kind of parameter needs a line here, and nowhere in the proxy. */
const values: Record<string, string> = {
  Vin: 'KMHXX00XXXX000001',
  BasicDate: '20260301',
  ZoneId: 'UTC',
  Brand: 'brand_a',
};

function requestFor(operation: OperationSpec): string {
  const named = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  const path = operation.path.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => values[named('path').find((parameter) => parameter.name === name)?.schema ?? ''] ?? '',
  );
  const query = named('query')
    .map((parameter) => `${parameter.name}=${values[parameter.schema]}`)
    .join('&');
  const headers = named('header')
    .map((parameter) => `${parameter.name}: ${values[parameter.schema]}\r\n`)
    .join('');
  return `${operation.method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer t\r\n${headers}\r\n`;
}

describe('every operation of the contract', () => {
  let upstream: RecordingUpstream;
  let proxy: TestProxy;
  beforeAll(async () => {
    upstream = await startRecordingUpstream(answerSuccess);
    proxy = await startProxy({ upstreamUrl: upstream.url });
  });
  afterAll(async () => {
    await proxy.close();
    await upstream.close();
  });

  it.each(Object.values<OperationSpec>(operations).map((operation) => [operation.operationId, operation] as const))(
    '%s is routed, checked and forwarded from the contract alone',
    async (_, operation) => {
      const client = new RawCaller(proxy.port);
      const request = requestFor(operation);
      client.send(request);
      expect(statusOf((await client.answers(1))[0])).toBe(200);
      expect(upstream.requests().map((each) => each.start)).toContain(request.split('\r\n')[0]);
      client.send(request.replace('Brand: brand_a', 'Brand: brand_z'));
      expect(statusOf((await client.answers(2))[1])).toBe(400);
      client.close();
    },
  );
});

describe('the router', () => {
  const [first] = servedOperations;
  const withPath = (path: string) =>
    compileRoutes(first === undefined ? [] : [...servedOperations, { ...first, path }]);

  it('takes a new path and prefers its literal parts to parameters', () => {
    const match = withPath('/v1/vehicles/summary/locations')('/v1/vehicles/summary/locations');
    expect(match?.route.template).toBe('/v1/vehicles/summary/locations');
    expect(match?.path).toEqual({});
  });

  it('takes two parameters', () => {
    expect(withPath('/v1/{kind}/x/{id}')('/v1/a/x/b')?.path).toEqual({ kind: 'a', id: 'b' });
  });

  it('stops where it does not understand a template', () => {
    expect(() => withPath('/v1/vehicles/{vin}.json')).toThrow('/v1/vehicles/{vin}.json');
  });
});
