import { setTimeout as wait } from 'node:timers/promises';
import { parserDifferenceOf } from './node-parser.ts';
import { RawClient, statusOf } from './raw-client.ts';
import { valuesOf, type WireMessage } from './read-messages.ts';
import type { RecordingUpstream } from './recording-upstream.ts';
import { bytesOf, fill, type ScenarioCase, type Story } from './scenario-files.ts';

export const clientToken = 'client-token-1';
export const ownToken = 'own-token-1';

/** How a proxy that plays scenarios is served. */
export interface Platform {
  /** Header names that the platform's HTTP client adds to requests to the upstream. */
  readonly addedNames: readonly string[];
  /** Whether the program's own server reads requests: then connections, envelopes and the next request are checked too. */
  readonly ownServer: boolean;
}

export type Identity = 'forward' | 'static';

/** What was otherwise than the story says. */
export interface Outcome {
  readonly different: readonly string[];
  /** What must hold everywhere: only the stated requests reach the upstream, and no response shows a value that was sent. */
  readonly unsafe: readonly string[];
  /** Whether the platform responded before the proxy's code saw the request. */
  readonly byPlatform: boolean;
}

const plannedNames = [
  'accept',
  'accept-encoding',
  'authorization',
  'brand',
  'host',
  'traceparent',
  'tracestate',
  'x-request-id',
];

/** Sends the bytes of a case and compares everything that both sides of the proxy got with the story. */
export async function playScenario(
  story: Story,
  each: ScenarioCase,
  port: number,
  upstream: RecordingUpstream,
  identity: Identity,
  { addedNames, ownServer }: Platform,
): Promise<Outcome> {
  const different: string[] = [];
  const timeoutMs = ownServer ? 5000 : 1500;
  const bytes = bytesOf(story, each, clientToken);
  const client = new RawClient(port, (index) => index === 0 && bytes.toString('latin1').startsWith('HEAD '));
  try {
    client.send(bytes);
    const difference = ownServer ? parserDifferenceOf(story.file, each.case) : undefined;
    const usual = each.statuses ?? [each.refuses === undefined ? 200 : Number(each.refuses.split(' ')[0])];
    const expected = difference?.statuses ?? usual;
    const responses = await client.responses(expected.length, timeoutMs).catch(() => client.reading().messages);
    const statuses = responses.map(statusOf).join(' ');
    if (statuses !== expected.join(' '))
      different.push(`status ${statuses || 'none'} instead of ${expected.join(' ')}`);
    const byPlatform =
      responses.length < expected.length || responses.some((one) => valuesOf(one, 'x-request-id').length === 0);
    const last = responses[expected.length - 1];
    different.push(
      ...errorDiffers(
        { ...each, ...(difference?.code && { refuses: ` ${difference.code}` }) },
        last,
        difference !== undefined,
      ),
    );
    for (const response of responses) different.push(...headersDiffer(response));
    const closes = difference?.closes ?? each.connection === 'closed';
    if (ownServer && closes) {
      if (last !== undefined && valuesOf(last, 'connection').join() !== 'close') different.push('no Connection: close');
      const ending = await client.ended(timeoutMs).catch(() => 'open');
      if (ending !== 'closed') different.push(`the connection is ${ending}`);
    }
    // What comes late belongs to this case, not to the next one.
    if (!ownServer && different.length > 0) await wait(30);
    const unsafe = [
      ...shownValues(story, each, responses),
      ...forwardedWrongly(story, each, upstream, identity, addedNames),
    ];
    const forwarded = upstream.requests().length;
    const meant = forwardsOf(story, each).length;
    if (forwarded < meant) different.push(`forwarded ${forwarded} requests instead of ${meant}`);
    if (ownServer && !closes) different.push(...(await isOutOfStep(client, expected.length)));
    if (ownServer && client.reading().rest.length > 0) different.push('bytes after the last response');
    if (client.reading().problem !== '') different.push(client.reading().problem);
    return { different, unsafe, byPlatform };
  } finally {
    client.close();
    upstream.forget();
  }
}

function forwardsOf(story: Story, { forwards = [], ...each }: ScenarioCase): readonly string[] {
  const values = { ...story.with, ...each.with };
  return [forwards].flat().map((line) => `${fill(line, values)} HTTP/1.1`);
}

function errorDiffers(each: ScenarioCase, response: WireMessage | undefined, codeOnly: boolean): string[] {
  if (each.refuses === undefined || response === undefined || response.body.length === 0) return [];
  try {
    const { error } = JSON.parse(response.body.toString()) as {
      error: { code: string; details: { in: string; name: string; reason: string }[] };
    };
    const code = each.refuses.split(' ')[1];
    const [detail] = error.details;
    const at = `${detail?.in} ${detail?.name}`.trim();
    const allow = valuesOf(response, 'allow').join();
    return [
      ...(error.code === code ? [] : [`code ${error.code} instead of ${code}`]),
      ...(codeOnly || each.at === undefined || at === each.at ? [] : [`points at ${at} instead of ${each.at}`]),
      ...(codeOnly || each.at === undefined || detail?.reason.trim() ? [] : ['a detail without a reason']),
      ...(codeOnly || each.allow === undefined || allow === each.allow ? [] : ['another Allow header']),
    ];
  } catch {
    return ['rejected without the envelope'];
  }
}

function headersDiffer(response: WireMessage): string[] {
  const value = (name: string) => valuesOf(response, name).join();
  const guarded = value('cache-control') === 'no-store' && value('x-content-type-options') === 'nosniff';
  const typed = response.body.length === 0 || value('content-type') === 'application/json';
  const named = valuesOf(response, 'x-request-id').length === 1;
  return guarded && named && typed ? [] : ['without the headers of every response'];
}

function shownValues(story: Story, each: ScenarioCase, responses: readonly WireMessage[]): string[] {
  const values = [...Object.values({ ...story.with, ...each.with }), clientToken].filter(({ length }) => length > 5);
  const shown = responses.some(({ body }) => values.some((value) => body.toString().includes(value)));
  return shown ? ['a response shows a value that was sent'] : [];
}

function forwardedWrongly(
  story: Story,
  each: ScenarioCase,
  upstream: RecordingUpstream,
  identity: Identity,
  addedNames: readonly string[],
): string[] {
  const wrong: string[] = [];
  const left = [...forwardsOf(story, each)];
  for (const { problem, rest } of upstream.readings())
    if (problem !== '' || rest.length > 0) wrong.push('bytes reached the upstream that are no request');
  for (const request of upstream.requests()) {
    const index = left.indexOf(request.start);
    if (index === -1) wrong.push(`forwarded ${request.start}`);
    else left.splice(index, 1);
    const names = request.headers.map(([name]) => name);
    const foreign = names.filter((name) => !plannedNames.includes(name) && !addedNames.includes(name));
    if (foreign.length > 0) wrong.push(`forwarded the headers ${foreign.join(', ')}`);
    if (new Set(names).size !== names.length) wrong.push('forwarded a header twice');
    if (request.body.length > 0) wrong.push('forwarded a body');
    const token = valuesOf(request, 'authorization').join();
    if (identity === 'static' && token !== `Bearer ${ownToken}`) wrong.push('another token than its own');
    for (const [name, value] of Object.entries(each.having ?? {})) {
      if (name === 'authorization' && identity === 'static') continue;
      if (addedNames.includes(name) && (value === null || name === 'accept-encoding')) continue;
      const meant = value === null ? '' : fill(value, { token: clientToken, ...story.with, ...each.with });
      if (valuesOf(request, name).join() !== meant) wrong.push(`forwarded another ${name}`);
    }
  }
  return wrong;
}

/** Sends one more good request on the same connection: the next response must be its own. */
async function isOutOfStep(client: RawClient, before: number): Promise<string[]> {
  const id = 'still-in-step';
  client.send(`GET /v1/vehicles/consent HTTP/1.1\r\nHost: proxy.test\r\nBrand: brand_a\r\nX-Request-Id: ${id}\r\n\r\n`);
  const response = (await client.responses(before + 1, 5000).catch(() => []))[before];
  const inStep =
    response !== undefined && statusOf(response) === 200 && valuesOf(response, 'x-request-id').join() === id;
  return inStep ? [] : ['the next request does not get its response'];
}
