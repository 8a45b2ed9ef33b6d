import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ProxyConfig } from '../src/config.js';
import { parserDifferenceOf } from './support/node-parser.ts';
import { startProxy, type TestProxy } from './support/proxy.ts';
import { RawCaller, statusOf } from './support/raw-client.ts';
import { valuesOf, type WireMessage } from './support/read-messages.ts';
import { type RecordingUpstream, startRecordingUpstream } from './support/recording-upstream.ts';
import { bytesOf, fill, readStories, type ScenarioCase, type Story } from './support/scenario-files.ts';

const stories = readStories();
const callersToken = 'client-token-1';
const ownToken = 'own-token-1';
const allowedNames = [
  'accept',
  'accept-encoding',
  'authorization',
  'brand',
  'host',
  'traceparent',
  'tracestate',
  'x-request-id',
];

const identities = {
  forward: { kind: 'forward' },
  static: { kind: 'static', accessToken: ownToken },
} as const satisfies Record<string, ProxyConfig['upstreamAuth']>;

it('there are at least 300 scenarios', () => {
  expect(stories.flatMap((story) => story.cases).length).toBeGreaterThanOrEqual(300);
});

describe.each(['forward', 'static'] as const)('with the upstream identity %s', (identity) => {
  let upstream: RecordingUpstream;
  let proxies: Map<boolean, TestProxy>;
  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    const config = { upstreamUrl: upstream.url, upstreamAuth: identities[identity] };
    proxies = new Map([
      [false, await startProxy(config, { headMs: 1000 })],
      [true, await startProxy({ ...config, allowStopAll: true }, { headMs: 1000 })],
    ]);
  });
  afterEach(() => upstream.forget());
  afterAll(async () => {
    for (const proxy of proxies.values()) await proxy.close();
    await upstream.close();
  });

  for (const story of stories) {
    const cases = story.cases.filter((each) => each.identity === undefined || each.identity === identity);
    describe(`${story.story} (${story.file})`, () => {
      for (const each of cases) {
        it(each.case, async () => {
          const proxy = proxies.get(story.allowStopAll ?? false);
          await play(story, each, proxy?.port ?? 0, upstream, identity);
        });
      }
    });
  }
});

async function play(
  story: Story,
  each: ScenarioCase,
  port: number,
  upstream: RecordingUpstream,
  identity: 'forward' | 'static',
) {
  const bytes = bytesOf(story, each, callersToken);
  const client = new RawCaller(port, (index) => index === 0 && bytes.toString('latin1').startsWith('HEAD '));
  try {
    client.send(bytes);
    const difference = parserDifferenceOf(story.file, each.case);
    const usual = each.statuses ?? [each.refuses === undefined ? 200 : Number(each.refuses.split(' ')[0])];
    const expected = difference?.statuses ?? usual;
    const answers = await client.answers(expected.length, 5000);
    expect(answers.map(statusOf)).toEqual(expected);
    const last = answers[expected.length - 1];
    checkRefusal(story, each, last);
    for (const answer of answers) checkAnswer(answer);
    const closed = difference?.closes ?? each.connection === 'closed';
    if (closed) {
      expect(last === undefined ? [] : valuesOf(last, 'connection')).toEqual(['close']);
      expect(await client.ended(5000)).toBe('closed');
    }
    checkForwarded(story, each, upstream, identity);
    if (!closed) await checkStillInStep(client, expected.length);
    expect(client.reading().rest.length).toBe(0);
    expect(client.reading().problem).toBe('');
  } finally {
    client.close();
  }
}

function checkRefusal(story: Story, each: ScenarioCase, answer: WireMessage | undefined): void {
  if (each.refuses === undefined || answer === undefined || answer.body.length === 0) return;
  const { error } = JSON.parse(answer.body.toString()) as {
    error: { code: string; message: string; details: { in: string; name: string; reason: string }[] };
  };
  const difference = parserDifferenceOf(story.file, each.case);
  expect(error.code).toBe(difference?.code ?? each.refuses.split(' ')[1]);
  if (each.at !== undefined && difference === undefined) {
    const [detail] = error.details;
    expect(`${detail?.in} ${detail?.name}`.trim()).toBe(each.at);
    expect(detail?.reason).toMatch(/\S/);
  }
  if (each.allow !== undefined && difference === undefined) expect(valuesOf(answer, 'allow')).toEqual([each.allow]);
  const values = { ...story.with, ...each.with };
  for (const value of Object.values(values)) if (value.length > 5) expect(answer.body.toString()).not.toContain(value);
  expect(answer.body.toString()).not.toContain(callersToken);
}

function checkAnswer(answer: WireMessage): void {
  expect(valuesOf(answer, 'cache-control')).toEqual(['no-store']);
  expect(valuesOf(answer, 'x-content-type-options')).toEqual(['nosniff']);
  expect(valuesOf(answer, 'x-request-id')).toHaveLength(1);
  if (answer.body.length === 0) return;
  expect(valuesOf(answer, 'content-type')).toEqual(['application/json']);
}

function checkForwarded(
  story: Story,
  each: ScenarioCase,
  upstream: RecordingUpstream,
  identity: 'forward' | 'static',
): void {
  const values = { ...story.with, ...each.with };
  const expected = (typeof each.forwards === 'string' ? [each.forwards] : (each.forwards ?? [])).map((line) =>
    fill(line, values),
  );
  for (const reading of upstream.readings()) {
    expect(reading.problem).toBe('');
    expect(reading.rest.toString('latin1')).toBe('');
  }
  const requests = upstream.requests();
  expect(requests.map((request) => request.start)).toEqual(expected.map((line) => `${line} HTTP/1.1`));
  for (const request of requests) {
    const names = request.headers.map(([name]) => name);
    expect(allowedNames).toEqual(expect.arrayContaining(names));
    expect(new Set(names).size).toBe(names.length);
    expect(request.body.length).toBe(0);
    const token = identity === 'static' ? [`Bearer ${ownToken}`] : valuesOf(request, 'authorization').slice(0, 1);
    expect(valuesOf(request, 'authorization')).toEqual(token);
    for (const [name, value] of Object.entries(each.having ?? {})) {
      if (name === 'authorization' && identity === 'static') continue;
      expect(valuesOf(request, name)).toEqual(value === null ? [] : [fill(value, { token: callersToken, ...values })]);
    }
  }
}

/** Sends one more good request on the same connection: its answer must be the next one, and its own. */
async function checkStillInStep(client: RawCaller, before: number): Promise<void> {
  client.send(
    'GET /v1/vehicles/consent HTTP/1.1\r\nHost: proxy.test\r\nBrand: brand_a\r\nX-Request-Id: still-in-step\r\n\r\n',
  );
  const answer = (await client.answers(before + 1, 5000))[before];
  expect(statusOf(answer)).toBe(200);
  expect(answer === undefined ? [] : valuesOf(answer, 'x-request-id')).toEqual(['still-in-step']);
}
