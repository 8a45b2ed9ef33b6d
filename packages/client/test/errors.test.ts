import { type ErrorEntry, errorCatalogue } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import * as api from '../src/index.js';
import { failure, requestId, vin } from './http-service.ts';
import { errorOf, nowhere, stubbed } from './test-client.ts';

const { isVehicleDataError, VehicleDataError } = api;

/** The errors of a reading call and of a withdrawal. */
async function errorsOf(status: number, body: string, headers: Record<string, string> = {}) {
  const { client } = stubbed(() => new Response(body, { status, headers }), { maxRetries: 0 });
  const calls = [client.getCurrentStatus({ vin }), client.stopSharing({ vin })] as const;
  const [get, stop] = await Promise.all(calls.map(errorOf));
  return { get, stop };
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
  test.each<ErrorEntry>(errorCatalogue)('with code $code has the facts of the catalogue', async (entry) => {
    const { code, message, status, resolution, temporary: isTemporary, mayHaveTakenEffect } = entry;
    const name = resolution === 'retry' && status === 429 ? 'RateLimitError' : names[resolution];
    const { get, stop } = await errorsOf(status, failure(code, message));
    const docsUrl = `${nowhere}/docs/errors/${code}/`;
    const facts = { name, code, status, requestId, resolution, isTemporary, docsUrl };
    expect(get).toMatchObject({ ...facts, operation: 'getCurrentStatus', mayHaveTakenEffect: false });
    expect(stop).toMatchObject({
      ...facts,
      operation: 'stopDataSharing',
      mayHaveTakenEffect,
      resolution: mayHaveTakenEffect ? 'check-effect' : resolution,
    });
    expect(String(get)).toBe(`${name}: getCurrentStatus: ${code} ${message} (HTTP ${status})`);
  });

  test.each([
    [401, '5006', api.ConsentError, false],
    [200, '4045', api.NoDataError, true],
    [400, '5001', api.ServiceFailureError, true],
  ])('is classed by its code, not by the status %i beside it', async (status, code, type, isTemporary) => {
    const { get } = await errorsOf(status, failure(code));
    expect(get).toMatchObject({ name: type.name, status, isTemporary });
    for (const one of [type, VehicleDataError, Error]) expect(get).toBeInstanceOf(one);
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
    const { get, stop } = await errorsOf(status, failure('7777'));
    expect(get).toMatchObject({ name, code: '7777', isTemporary, mayHaveTakenEffect: false });
    expect(stop).toMatchObject({ name, isTemporary, mayHaveTakenEffect });
  });

  test('keeps the details and how long to wait', async () => {
    const details = [{ in: 'query', name: 'endDate', reason: 'endDate is 8 days after startDate' }];
    const { get } = await errorsOf(429, failure('429', 'Too many requests', details), { 'retry-after': '7' });
    expect(get).toMatchObject({ details, retryAfterMs: 7_000 });
  });

  test('whose code is no text is still a typed error', async () => {
    const body = JSON.stringify({ error: { code: 4002, message: null, details: 'none' } });
    expect((await errorsOf(400, body)).get).toMatchObject({ name: 'InvalidRequestError', code: '4002', details: [] });
  });
});

test('names are written out in every class, so that a minifier cannot change them', () => {
  const classes = Object.entries(api).filter(([name]) => name.endsWith('Error') && name !== 'isVehicleDataError');
  expect(classes.length).toBeGreaterThan(12);
  const facts = { code: 'x', resolution: 'none', isTemporary: false, mayHaveTakenEffect: false };
  for (const [name, type] of classes) {
    expect(Reflect.construct(type, ['text', facts])).toHaveProperty('name', name);
    expect(`${type}`).toMatch(new RegExp(`name = ['"]${name}['"]`));
  }
});

test('isVehicleDataError() knows the errors of another copy of this package, and no other value', async () => {
  const path = '../src/errors.js?another-copy';
  const other = (await import(/* @vite-ignore */ path)) as typeof import('../src/errors.js');
  const facts = { code: 'x', resolution: 'retry', isTemporary: true, mayHaveTakenEffect: false } as const;
  const foreign = new other.NoDataError('text', facts);
  expect(foreign).not.toBeInstanceOf(VehicleDataError);
  expect(isVehicleDataError(foreign)).toBe(true);
  for (const value of [undefined, null, 'text', {}, new Error('text'), new TypeError('fetch failed')]) {
    expect(isVehicleDataError(value)).toBe(false);
  }
});

describe('the raw style', () => {
  test('gives the error envelope of the service as it came, after the retries of what is temporary', async () => {
    const headers = { 'retry-after': '0' };
    const { client, sent } = stubbed(() => new Response(failure('overloaded'), { status: 503, headers }));
    const { data, error, response } = await client.raw.GET('/v1/vehicles/consent');
    expect([data, error, response.status]).toEqual([undefined, JSON.parse(failure('overloaded')), 503]);
    expect(sent).toHaveLength(3);
  });

  test('takes the brand where openapi-fetch has headers', async () => {
    const { untyped, sent } = stubbed(failure('4002'));
    await untyped.raw.GET('/v1/vehicles/consent', { params: { header: { Brand: 'brand_b' } } });
    expect(sent[0]?.headers).toMatchObject({ brand: 'brand_b' });
  });
});
