import { Writable } from 'node:stream';
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import winston from 'winston';
import { type CallEvent, type Logger, pinoLogger, type ResponseIssue, type ResponseValidator } from '../src/index.js';
import { errorOf, failed, failure, later, located, requestId, stubbed, success, token, vin } from './service.ts';

describe('hooks', () => {
  test('see operation, route, status, attempt, duration and request identifier of every step', async () => {
    const steps: object[] = [];
    const note = (step: string) => (event: CallEvent, error?: Error) =>
      void steps.push({ step, ...event, error: error?.name });
    const responses = [failed('overloaded', 503), located, failed('5006')];
    const [onRequest, onResponse] = [note('request'), note('response')];
    const hooks = { onRequest, onResponse, onRetry: note('retry'), onError: note('error') };
    const { client } = stubbed(responses, { hooks });
    await client.getLocation({ vin });
    await errorOf(client.listVehicles());
    const call = { operation: 'getLocation', method: 'GET', route: '/v1/vehicles/{vin}/locations', brand: 'brand_a' };
    expect(steps).toMatchObject([
      { step: 'request', ...call, attempt: 1, durationMs: 0 },
      { step: 'retry', ...call, attempt: 1, status: 503, code: 'overloaded', requestId, delayMs: 250 },
      { step: 'request', ...call, attempt: 2, durationMs: 250 },
      { step: 'response', ...call, attempt: 2, status: 200, requestId, durationMs: 250 },
      { step: 'request', operation: 'listVehicles' },
      { step: 'error', operation: 'listVehicles', code: '5006', error: 'ConsentError' },
    ]);
  });

  test('and the logger never see a token, a VIN, a query or a body, whatever happens', async () => {
    const seen: unknown[] = [];
    const note = (...args: unknown[]) => void seen.push(args);
    const hooks = { onRequest: note, onResponse: note, onRetry: note, onError: note, onInvalidResponse: note };
    const responses: readonly [number, string][] = [
      [500, failure('5001', `trouble with ${vin} and ${token}`)],
      [200, `<html>${vin}</html>`],
      [400, failure(vin)],
      [400, failure('4011')],
      [200, success({ location: { latitude: 52.520008 } })],
    ];
    const { client } = stubbed(
      (index) => {
        const [status, body] = responses[index % responses.length] ?? [500, ''];
        return new Response(body.replace(requestId, index % 2 ? vin : token), { status });
      },
      { hooks, logger: { debug: note, warn: note, error: note } },
    );
    for (let turn = 0; turn < 10; turn += 1) {
      await client.getLocation({ vin }).catch(note);
      await client.getDrivingData({ vin, startDate: '20260302', endDate: '20260303' }).catch(note);
      await client.getLocation({ vin: `${vin}!` }).catch(note);
    }
    const text = JSON.stringify(seen, (_, value: unknown) =>
      value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value,
    );
    expect(seen.length).toBeGreaterThan(60);
    for (const secret of [vin, token, '52.520008', 'startDate=']) expect(text).not.toContain(secret);
  });

  test('that throw or reject break no call and do not end the process', async () => {
    const onUnhandled = vi.fn();
    process.on('unhandledRejection', onUnhandled);
    const throwing = () => {
      throw new Error('metrics down');
    };
    const fault = async () => throwing();
    const { client } = stubbed([success({ trips: [] }), failed('5001', 500), failed('4002')], {
      hooks: { onRequest: fault, onResponse: throwing, onError: fault },
      logger: { debug: throwing, warn: fault, error: fault },
    });
    const range = { vin, from: '20260302', to: '20260303' };
    for await (const _ of client.trips.driving(range, { onProgress: fault }));
    // Retried, then failed: every level of the logger.
    expect(await errorOf(client.listVehicles())).toMatchObject({ code: '4002' });
    await later(10);
    process.off('unhandledRejection', onUnhandled);
    expect(onUnhandled).not.toHaveBeenCalled();
  });
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
    const { client } = stubbed(failed('5006'), { logger });
    await errorOf(client.stopSharing({ vin }));
    const call = { operation: 'stopDataSharing', method: 'DELETE', route: '/v1/vehicles/consent', attempt: 1 };
    const [request, error] = lines.map((line): Record<string, unknown> => JSON.parse(line));
    expect(request).toMatchObject(call);
    expect(lines[0]).toContain('"vehicle data: stopSharing Request"');
    expect(error).toMatchObject({ ...call, code: '5006', status: 400 });
    expect(lines[1]).toContain(`"vehicle data: stopSharing Error (5006, HTTP 400, request ${requestId})"`);
    expect(request?.['level']).not.toBe(error?.['level']);
  });

  test('receives its level and those above alone', async () => {
    const levels: string[] = [];
    const note = (level: string) => () => levels.push(level);
    const logger = { debug: note('debug'), warn: note('warn'), error: note('error') };
    for (const logLevel of ['debug', 'warn', 'error', 'off'] as const) {
      const { client } = stubbed(failed('5001', 500), { logger, logLevel, maxRetries: 1 });
      await errorOf(client.listVehicles());
      levels.push('|');
    }
    expect(levels.join(' ')).toBe('debug warn debug error | warn error | error | |');
  });
});

describe('validation of responses', () => {
  const place = { in: 'body', name: '', pointer: '/data/vehicles/0/type' } as const;
  const issue: ResponseIssue = { kind: 'body', ...place, rule: 'enum', message: 'not one of the values' };
  const passes = { status: 'fulfilled' };
  const reason = { name: 'MalformedResponseError', code: 'invalid-response', details: [issue] };

  const vehicles = success({ vehicles: [] });
  test.each<{ mode: 'off' | 'report' | 'enforce' | undefined; checks: number; result: object }>([
    { mode: undefined, checks: 2, result: passes },
    { mode: 'report', checks: 2, result: passes },
    { mode: 'off', checks: 0, result: passes },
    { mode: 'enforce', checks: 2, result: { status: 'rejected', reason } },
  ])('acts as its mode says, of a method and of raw, without retries: $mode', async ({ mode, checks, result }) => {
    const responses = vi.fn<ResponseValidator>(() => ({ ok: false, issues: [issue] }));
    const onInvalidResponse = vi.fn();
    const { client } = stubbed(vehicles, { hooks: { onInvalidResponse }, validate: { mode, responses } });
    const calls = [client.listVehicles(), client.raw.GET('/v1/vehicles/consent')];
    expect(await Promise.allSettled(calls)).toMatchObject([result, result]);
    expect(responses.mock.calls).toEqual(Array(checks).fill(['listVehicles', 200, JSON.parse(vehicles)]));
    expect(onInvalidResponse.mock.calls).toEqual(Array(checks).fill([expect.anything(), [issue]]));
  });
});
