import type { RequestListener } from 'node:http';
import { failure, success } from '../service.ts';

/** The service that `exercise.js` calls: the last digit of the VIN says what goes wrong. */
export const respondToExercise: RequestListener = ({ url = '' }, response) => {
  const digit = /SANDB0XA00000000(\d)/.exec(url)?.[1] ?? '';
  const [, ...start] = /startDate=(\d{4})(\d\d)(\d\d)/.exec(url) ?? [];
  const triggerStartTime = `${start.join('-')}T08:00:00.000Z`;
  const trips = [{ triggerStartTime, tripLength: 2_000, engine: { rpm: [800, 900] } }];
  const responses: Readonly<Record<string, readonly [number, string, Record<string, string>?]>> = {
    '': [200, success({ vehicles: [{ vin: 'SANDB0XA000000001' }, { vin: 'SANDB0XA000000001' }] })],
    1: [200, success({ location: { latitude: 52.5 }, timestamp: '2026-03-09T06:59:48Z', trips })],
    2: [302, '', { location: 'http://127.0.0.1:9/' }],
    3: [400, failure('5006')],
    4: [200, '<html>SANDB0XA000000004</html>', { 'content-type': 'text/html' }],
  };
  const [status, body, headers] = responses[digit] ?? [];
  if (status) response.writeHead(status, headers).end(body);
  // Any other digit is met with silence, or with a connection that breaks.
  else if (digit === '6') response.destroy();
};

/** What `exercise()` of exercise.js gives on every runtime. */
export const expected = {
  withdrawal: 'ConnectionError connection-failed true false',
  vehicles: 2,
  latitude: 52.5,
  success: true,
  status: 200,
  dataAgeMs: 12_000,
  raw: '5006',
  path: '/v1/vehicles/consent',
  requests: [true, false],
  responses: [true, false],
  trips: 3,
  rows: 6,
  redirect: 'MalformedResponseError redirect-rejected true false',
  rejection: 'ConsentError 5006 true false',
  page: 'MalformedResponseError malformed-response true false',
  silence: 'TimeoutError timeout true false',
  abort: 'AbortedError aborted true false',
  argument: 'ArgumentError invalid-argument true false',
  wide: 'ArgumentError invalid-argument true false',
  unreachable: 'ConnectionError connection-failed true false',
  stack: true,
};
