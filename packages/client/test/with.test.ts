import { Writable } from 'node:stream';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import winston from 'winston';
import { type Logger, pinoLogger } from '../src/index.js';
import { failure, success, token, vin } from './http-service.ts';
import { stubbed } from './test-client.ts';

const located = success({ location: {} });
const headersOf = (sent: readonly { readonly headers: object }[]) => sent.map(({ headers }) => headers);

describe('client.with()', () => {
  test('is the same client for another user and brand', async () => {
    const { client, sent } = stubbed(located, { accessToken: 'token-one', headers: { 'x-app': 'a' } });
    const other = client.with({
      brand: 'brand_b',
      accessToken: 'token-two',
      apiKey: 'key-two',
      headers: { 'x-user': 'b' },
    });
    await client.getLocation({ vin });
    await other.getLocation({ vin });
    await other.with({ brand: 'brand_c' }).getLocation({ vin });
    expect(headersOf(sent)).toEqual([
      { brand: 'brand_a', authorization: 'Bearer token-one', 'x-app': 'a' },
      { brand: 'brand_b', authorization: 'Bearer token-two', 'x-api-key': 'key-two', 'x-app': 'a', 'x-user': 'b' },
      { brand: 'brand_c', authorization: 'Bearer token-two', 'x-api-key': 'key-two', 'x-app': 'a', 'x-user': 'b' },
    ]);
  });

  test('ends its calls, iterations and raw calls with its signal, and those of the client continue', async () => {
    const { client } = stubbed(located);
    const controller = new AbortController();
    const scoped = client.with({ signal: controller.signal });
    controller.abort();
    const aborted = { name: 'AbortedError' };
    await expect(scoped.listVehicles()).rejects.toMatchObject(aborted);
    await expect(scoped.raw.GET('/v1/vehicles/consent')).rejects.toMatchObject(aborted);
    await expect(scoped.trips.driving({ vin, from: '20260302', to: '20260302' }).next()).rejects.toMatchObject(aborted);
    await expect(client.getLocation({ vin })).resolves.toEqual({ location: {} });
  });

  test('confirms the withdrawal for a brand by its own brand', async () => {
    const { client, sent } = stubbed(located);
    const other = client.with({ brand: 'brand_b' });
    await expect(other.stopSharingForAllVehicles({ brand: 'brand_a' })).rejects.toMatchObject({
      name: 'ArgumentError',
    });
    await other.stopSharingForAllVehicles({ brand: 'brand_b' });
    expect(headersOf(sent)).toMatchObject([{ brand: 'brand_b' }]);
  });
});

describe('headers', () => {
  test('of a function are made for each attempt, as trace context needs them', async () => {
    let requests = 0;
    const seen: unknown[] = [];
    const { client } = stubbed(located, {
      headers: async (attempt) => {
        seen.push(attempt);
        return { traceparent: `00-${attempt.attempt}` };
      },
      fetch: async (_, { headers }) => {
        seen.push(headers['traceparent']);
        requests += 1;
        return requests === 1 ? new Response(failure('5001'), { status: 500 }) : new Response(located);
      },
    });
    await client.getLocation({ vin });
    const attempt = {
      operation: 'getLocation',
      method: 'GET',
      route: '/v1/vehicles/{vin}/locations',
      brand: 'brand_a',
    };
    expect(seen).toEqual([{ ...attempt, attempt: 1 }, '00-1', { ...attempt, attempt: 2 }, '00-2']);
  });

  test('cannot replace those of the client', async () => {
    const { client, sent } = stubbed(located, {
      apiKey: 'own-key',
      headers: () => ({ Brand: 'brand_b', authorization: 'Bearer other', 'X-API-Key': 'other', 'x-more': '1' }),
    });
    await client.getLocation({ vin });
    expect(headersOf(sent)).toEqual([
      { brand: 'brand_a', authorization: `Bearer ${token}`, 'x-api-key': 'own-key', 'x-more': '1' },
    ]);
  });

  test.each([[() => 'x'], [() => ({ 'a b': 'c' })], [() => ({ a: 'b\nc' })]])(
    'that cannot be sent are named',
    async (headers) => {
      const { client, sent } = stubbed(located, { headers: headers as never });
      await expect(client.getLocation({ vin })).rejects.toMatchObject({ name: 'ArgumentError', parameter: 'headers' });
      expect(sent).toEqual([]);
    },
  );
});

describe('a logger', () => {
  test.each<[string, (write: (line: string) => void) => Logger]>([
    ['pino', (write) => pinoLogger(pino({ level: 'debug', base: null, timestamp: false }, { write }))],
    [
      'winston',
      (write) => {
        const stream = new Writable({ write: (line, _, done) => done(void write(`${line}`)) });
        return winston.createLogger({ level: 'debug', transports: [new winston.transports.Stream({ stream })] });
      },
    ],
  ])('of %s writes message and fields', async (_, loggerTo) => {
    const lines: string[] = [];
    const logger = loggerTo((line) => lines.push(line));
    const { client } = stubbed(located, { logger, maxRetries: 0 });
    await client.listVehicles().catch(() => undefined);
    const call = { operation: 'listVehicles', method: 'GET', route: '/v1/vehicles/consent', attempt: 1 };
    const [request, failed] = lines.map((line): Record<string, unknown> => JSON.parse(line));
    expect(request).toMatchObject(call);
    expect(Object.values(request ?? {})).toContain('vehicle data: listVehicles Request');
    expect(failed).toMatchObject({ ...call, code: expect.any(String), status: expect.any(Number) });
    expect(request?.['level']).not.toBe(failed?.['level']);
  });

  test('receives its level and those above alone', async () => {
    const levels: string[] = [];
    const logger = {
      debug: () => void levels.push('debug'),
      warn: () => void levels.push('warn'),
      error: () => void levels.push('error'),
    };
    for (const logLevel of ['debug', 'warn', 'error', 'off'] as const) {
      const { client } = stubbed(located, { logger, logLevel, maxRetries: 1 });
      await client.listVehicles().catch(() => undefined);
      levels.push('|');
    }
    expect(levels.join(' ')).toBe('debug warn debug error | warn error | error | |');
  });
});
