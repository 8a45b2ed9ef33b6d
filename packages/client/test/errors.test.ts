import { type ErrorEntry, errorCatalogue } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import * as api from '../src/index.js';
import { failure, reply, requestId, startHttpService, vin } from './http-service.ts';
import { clientOf, untypedOf } from './test-client.ts';

const { isVehicleDataError, VehicleDataError } = api;

async function callWith(status: number, body: string, headers: Record<string, string> = {}) {
  const service = await startHttpService((_, response) => reply(response, status, body, headers));
  const client = clientOf(service.url, { maxRetries: 0 });
  const [get, stop] = await Promise.all(
    [client.getCurrentStatus({ vin }), client.stopSharing({ vin })].map((call) =>
      call.catch((reason: unknown) => reason),
    ),
  );
  return { get, stop, client, service };
}

const names: Readonly<Record<ErrorEntry['resolution'], string>> = {
  'fix-request': 'InvalidRequestError',
  'fix-credentials': 'CredentialsError',
  'refresh-token': 'AccessTokenError',
  'ask-consent': 'ConsentError',
  'no-data': 'NoDataError',
  retry: 'ServiceFailureError',
};

describe('an error of the service', () => {
  test.each(errorCatalogue.map((entry) => [entry.code, entry] as const))(
    'with code %s has the facts of the catalogue',
    async (code, entry: ErrorEntry) => {
      const { get, stop, service } = await callWith(entry.status, failure(code, entry.message));
      const facts = {
        name: entry.resolution === 'retry' && entry.status === 429 ? 'RateLimitError' : names[entry.resolution],
        code,
        status: entry.status,
        requestId,
        resolution: entry.resolution,
        isTemporary: entry.temporary,
        docsUrl: `${service.url}/docs/errors/${code}/`,
      };
      expect(get).toMatchObject({ ...facts, operation: 'getCurrentStatus', mayHaveTakenEffect: false });
      expect(stop).toMatchObject({
        ...facts,
        operation: 'stopDataSharing',
        mayHaveTakenEffect: entry.mayHaveTakenEffect,
        resolution: entry.mayHaveTakenEffect ? 'check-effect' : entry.resolution,
      });
      expect(String(get)).toBe(`${facts.name}: getCurrentStatus: ${code} ${entry.message} (HTTP ${entry.status})`);
    },
  );

  test('is classed by its code, not by the status beside it', async () => {
    expect((await callWith(401, failure('5006'))).get).toMatchObject({ name: 'ConsentError', status: 401 });
    const { get } = await callWith(200, failure('4045'));
    expect(get).toMatchObject({ name: 'NoDataError', status: 200 });
    for (const type of [api.NoDataError, VehicleDataError, Error]) expect(get).toBeInstanceOf(type);
    expect((await callWith(400, failure('5001'))).get).toMatchObject({
      name: 'ServiceFailureError',
      isTemporary: true,
    });
  });

  test.each([
    [400, 'InvalidRequestError', false, false],
    [401, 'AccessTokenError', false, false],
    [403, 'CredentialsError', false, false],
    [404, 'InvalidRequestError', false, false],
    [408, 'ServiceFailureError', true, false],
    [410, 'ConsentError', false, false],
    [429, 'RateLimitError', true, false],
    [500, 'ServiceFailureError', true, true],
    [503, 'ServiceFailureError', true, true],
  ])('with an unknown code and status %i is a %s', async (status, name, isTemporary, mayHaveTakenEffect) => {
    const { get, stop } = await callWith(status, failure('7777'));
    expect(get).toMatchObject({ name, code: '7777', isTemporary, mayHaveTakenEffect: false });
    expect(stop).toMatchObject({ name, isTemporary, mayHaveTakenEffect });
  });

  test('keeps the details and how long to wait', async () => {
    const details = [
      { in: 'query', name: 'endDate', reason: 'endDate is 8 days after startDate; at most 7 are allowed' },
    ];
    const { get } = await callWith(429, failure('429', 'Too many requests', details), { 'retry-after': '7' });
    expect(get).toMatchObject({ details, retryAfterMs: 7_000 });
  });

  test('whose code is no text is still a typed error', async () => {
    const body = JSON.stringify({ error: { code: 4002, message: null, details: 'none' } });
    expect((await callWith(400, body)).get).toMatchObject({ name: 'InvalidRequestError', code: '4002', details: [] });
  });
});

describe('names', () => {
  test('are written out in every class, so that a minifier cannot change them', () => {
    const classes = Object.entries(api).filter(([name]) => name.endsWith('Error') && name !== 'isVehicleDataError');
    expect(classes.length).toBeGreaterThan(12);
    const facts = { code: 'x', resolution: 'none', isTemporary: false, mayHaveTakenEffect: false };
    for (const [name, type] of classes) {
      expect(Reflect.construct(type, ['text', facts])).toHaveProperty('name', name);
      expect(`${type}`).toMatch(new RegExp(`name = ['"]${name}['"]`));
    }
  });
});

describe('isVehicleDataError()', () => {
  test('knows the errors of another copy of this package', async () => {
    const path = '../src/errors.js?another-copy';
    const other = (await import(/* @vite-ignore */ path)) as typeof import('../src/errors.js');
    const facts = { code: 'x', resolution: 'retry', isTemporary: true, mayHaveTakenEffect: false } as const;
    const foreign = new other.NoDataError('text', facts);
    expect(foreign).not.toBeInstanceOf(VehicleDataError);
    expect(isVehicleDataError(foreign)).toBe(true);
  });

  test.each([undefined, null, 'text', {}, new Error('text'), new TypeError('fetch failed')])(
    'says no to %o',
    (value) => {
      expect(isVehicleDataError(value)).toBe(false);
    },
  );
});

describe('the raw style', () => {
  test('gives the error envelope of the service as it came', async () => {
    const { client } = await callWith(400, failure('4002', 'Invalid request parameters'));
    const params = { path: { vin }, query: { startDate: '20260302', endDate: '20260303' } };
    const { data, error, response } = await client.raw.GET('/v1/vehicles/{vin}/driving/data', { params });
    expect(data).toBeUndefined();
    expect(error).toEqual(JSON.parse(failure('4002', 'Invalid request parameters')));
    expect(response.status).toBe(400);
  });

  test('retries what is temporary before it gives an error', async () => {
    const service = await startHttpService((_, response) =>
      reply(response, 503, failure('overloaded'), { 'retry-after': '0' }),
    );
    const client = clientOf(service.url);
    const { error } = await client.raw.GET('/v1/vehicles/consent');
    expect(error?.error.code).toBe('overloaded');
    expect(service.requests).toHaveLength(3);
  });

  test('takes the brand where openapi-fetch has headers', async () => {
    const service = await startHttpService((_, response) => reply(response, 503, failure('overloaded')));
    const { raw } = untypedOf(clientOf(service.url, { maxRetries: 0 }));
    await raw.GET('/v1/vehicles/consent', { params: { header: { Brand: 'brand_b' } } });
    expect(service.requests[0]?.headers).toMatchObject({ brand: 'brand_b' });
  });
});
