import { describe, expect, test } from 'vitest';
import type { CallEvent, ResponseIssue } from '../src/index.js';
import { failure, reply, requestId, startHttpService, success, token, vin } from './http-service.ts';
import { clientOf, stubbed } from './test-client.ts';
import { instantClock } from './test-clock.ts';

describe('hooks and logger', () => {
  test('see operation, route, status, attempt, duration and request identifier of every step', async () => {
    const service = await startHttpService((_, response, index) =>
      index === 0 ? reply(response, 503, failure('overloaded')) : reply(response, 200, success({ location: {} })),
    );
    const steps: [string, CallEvent][] = [];
    const note = (step: string) => (event: CallEvent) => void steps.push([step, event]);
    const client = clientOf(service.url, {
      clock: instantClock(),
      hooks: {
        onRequest: note('request'),
        onResponse: note('response'),
        onRetry: note('retry'),
        onError: note('error'),
      },
    });
    await client.getLocation({ vin });
    const call = { operation: 'getLocation', method: 'GET', route: '/v1/vehicles/{vin}/locations' };
    expect(steps).toMatchObject([
      ['request', { ...call, attempt: 1, durationMs: 0 }],
      ['retry', { ...call, attempt: 1, status: 503, code: 'overloaded', requestId, delayMs: 250 }],
      ['request', { ...call, attempt: 2, durationMs: 250 }],
      ['response', { ...call, attempt: 2, status: 200, requestId, durationMs: 250 }],
    ]);
  });

  test('never see a token, a VIN, a query or a body, whatever happens', async () => {
    const seen: unknown[] = [];
    const note = (...args: unknown[]) => void seen.push(args);
    const note3 = { debug: note, warn: note, error: note };
    const hooks = { onRequest: note, onResponse: note, onRetry: note, onError: note, onInvalidResponse: note };
    const responses: readonly [number, string][] = [
      [500, failure('5001', `trouble with ${vin} and ${token}`)],
      [200, `<html>${vin}</html>`],
      [400, failure(vin)],
      [400, failure('4011')],
      [200, success({ location: { latitude: 52.520008 } })],
    ];
    const service = await startHttpService((_, response, index) => {
      const [status, body] = responses[index % responses.length] ?? [500, ''];
      reply(response, status, body.replace(requestId, index % 2 ? vin : token));
    });
    const client = clientOf(service.url, { hooks, logger: note3, clock: instantClock() });
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

  test('a failed call is reported with its error, an ended one too', async () => {
    const errors: unknown[] = [];
    const levels: string[] = [];
    const service = await startHttpService((_, response) => reply(response, 400, failure('5006')));
    const client = clientOf(service.url, {
      hooks: { onError: (event, error) => errors.push([event.code, error.name]) },
      logger: {
        debug: () => void levels.push('debug'),
        warn: () => void levels.push('warn'),
        error: (message) => void levels.push(message),
      },
    });
    await client.listVehicles().catch(() => undefined);
    await client.listVehicles({ signal: AbortSignal.abort() }).catch(() => undefined);
    expect(errors).toEqual([
      ['5006', 'ConsentError'],
      ['aborted', 'AbortedError'],
    ]);
    expect(levels).toEqual([
      'debug',
      `vehicle data: listVehicles Error (5006, HTTP 400, request ${requestId})`,
      'vehicle data: listVehicles Error (aborted)',
    ]);
  });
});

describe('validation of responses', () => {
  const issue: ResponseIssue = {
    kind: 'body',
    in: 'body',
    name: '',
    pointer: '/data/vehicles/0/type',
    rule: 'enum',
    message: 'not one of the values',
  };

  const vehicles = success({ vehicles: [] });
  test.each<['off' | 'report' | 'enforce' | undefined, number, number, object]>([
    [undefined, 2, 2, { status: 'fulfilled' }],
    ['report', 2, 2, { status: 'fulfilled' }],
    ['off', 0, 0, { status: 'fulfilled' }],
    [
      'enforce',
      2,
      2,
      {
        status: 'rejected',
        reason: { name: 'MalformedResponseError', code: 'invalid-response', details: [issue] },
      },
    ],
  ])('in mode %s, of a method and of raw, without retries', async (mode, checks, reports, result) => {
    const checked: unknown[] = [];
    const reported: (readonly ResponseIssue[])[] = [];
    const { client } = stubbed(vehicles, {
      hooks: { onInvalidResponse: (_, issues) => void reported.push(issues) },
      validate: {
        mode,
        responses: (...args) => {
          checked.push(args);
          return { ok: false, issues: [issue] };
        },
      },
    });
    const calls = [client.listVehicles(), client.raw.GET('/v1/vehicles/consent')];
    expect(await Promise.allSettled(calls)).toMatchObject([result, result]);
    expect(checked).toEqual(Array(checks).fill(['listVehicles', 200, JSON.parse(vehicles)]));
    expect(reported).toEqual(Array(reports).fill([issue]));
  });
});
