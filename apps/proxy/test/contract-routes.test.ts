import { type OperationSpec, operations } from '@vehicle-data/openapi';
import { expect, it } from 'vitest';
import { servedOperations } from '../src/config.js';
import { compileRoutes } from '../src/request/routes.js';
import { statusOf } from './support/raw-client.ts';
import { startProxy, startRawUpstream } from './support/set-up.ts';

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

it.each(Object.values<OperationSpec>(operations).map((operation) => [operation.operationId, operation] as const))(
  'the operation %s is routed, checked and forwarded from the contract alone',
  async (_, operation) => {
    const upstream = await startRawUpstream();
    const client = (await startProxy({ upstreamUrl: upstream.url })).connect();
    const request = requestFor(operation);
    client.send(request);
    expect(statusOf((await client.responses(1))[0])).toBe(200);
    expect(upstream.requests().map((each) => each.start)).toContain(request.split('\r\n')[0]);
    client.send(request.replace('Brand: brand_a', 'Brand: brand_z'));
    expect(statusOf((await client.responses(2))[1])).toBe(400);
  },
);

it('the router prefers literal parts of a path to parameters, takes two parameters, and rejects what it does not know', () => {
  const [first] = servedOperations;
  const routerWith = (path: string) =>
    compileRoutes(first === undefined ? [] : [...servedOperations, { ...first, path }]);
  const summary = '/v1/vehicles/summary/locations';
  expect(routerWith(summary)(summary)).toMatchObject({ route: { template: summary }, path: {} });
  expect(routerWith('/v1/{kind}/x/{id}')('/v1/a/x/b')?.path).toEqual({ kind: 'a', id: 'b' });
  expect(() => routerWith('/v1/vehicles/{vin}.json')).toThrow('/v1/vehicles/{vin}.json');
});
