import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { CallTallies, durationClasses } from '../src/node/call-tallies.js';
import { DurationHistogram } from '../src/node/duration-histogram.js';
import type { CallRecord } from '../src/observer.js';

const nothing = { requestId: 'r', reason: '', caller: '', traceParent: '' };

test('the histogram made from tallies has, in text and in JSON, what the library counts call by call', async () => {
  const tallies = new CallTallies();
  const [own, other] = [new Registry(), new Registry()];
  own.registerMetric(new DurationHistogram(tallies));
  const reference = new Histogram({
    name: 'vds_proxy_call_duration_seconds',
    help: 'Time from the first byte sent to the service to the end of the answer.',
    labelNames: ['method', 'route'],
    buckets: [...durationClasses],
    registers: [other],
  });
  const edges = durationClasses.flatMap((bound) => [bound * 1000, bound * 1000 - 0.25, bound * 1000 + 0.25]);
  for (const [index, durationMs] of [0, ...edges, 60_000].entries()) {
    const [method, route] = [index % 2 === 0 ? 'GET' : 'DELETE', index % 3 === 0 ? '/a' : '/b'];
    const record: CallRecord = {
      ...nothing,
      method,
      template: route,
      status: index % 5 === 0 ? 502 : 200,
      code: index % 5 === 0 ? 'upstream-invalid-answer' : '',
      attempts: 1,
      bytes: 1,
      durationMs,
    };
    tallies.add(record);
    reference.observe({ method, route }, durationMs / 1000);
  }
  // A call that never went to the service has no such duration.
  tallies.add({
    ...nothing,
    method: 'GET',
    template: '/a',
    status: 400,
    code: '4002',
    attempts: 0,
    bytes: 0,
    durationMs: 9,
  });
  const lines = (text: string) => rounded(text).split('\n').sort();
  expect(lines(await own.metrics())).toEqual(lines(await other.metrics()));
  const [ownJson, otherJson] = [await own.getMetricsAsJSON(), await other.getMetricsAsJSON()];
  expect(ownJson.map(plain)).toEqual(otherJson.map(plain));
});

/** Sums that were added up in another order differ in their last digits. */
function rounded(text: string): string {
  return text.replace(/\d+\.\d+/g, (digits) => Number(digits).toFixed(6));
}

function plain({ values, ...rest }: object & { values?: unknown[] }) {
  return { ...rest, values: (values ?? []).map((value) => rounded(sortedJson(value))).sort() };
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (name, each) =>
    name === 'exemplar'
      ? undefined
      : typeof each === 'object' && each !== null
        ? Object.fromEntries(Object.entries(each).sort())
        : each,
  );
}
