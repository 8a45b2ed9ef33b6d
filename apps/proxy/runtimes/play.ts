import { setTimeout as wait } from 'node:timers/promises';
import { parserDifferenceOf } from '../test/support/node-parser.ts';
import { RawCaller, statusOf } from '../test/support/raw-client.ts';
import { valuesOf, type WireMessage } from '../test/support/read-messages.ts';
import type { RecordingUpstream } from '../test/support/recording-upstream.ts';
import { bytesOf, fill, type ScenarioCase, type Story } from '../test/support/scenario-files.ts';

export const callersToken = 'client-token-1';
export const ownToken = 'own-token-1';

/** What a runtime's own HTTP client adds to a request, and what the proxy writes itself. */
const ownNames = [
  'accept',
  'accept-encoding',
  'authorization',
  'brand',
  'host',
  'traceparent',
  'tracestate',
  'x-request-id',
];

/** How a runtime is looked at. */
export interface Look {
  /** Header names that the runtime's `fetch` adds to requests to the service. */
  readonly addedNames: readonly string[];
  /** Whether our own reader decides when a connection ends. */
  readonly ownsConnections: boolean;
}

/**
 * Plays one scenario and tells what was otherwise than the story says. What must hold everywhere comes under `unsafe`: nothing
 * but the stated requests reaches the service, each with our headers alone, and no answer shows a value that was sent.
 */
export async function playCase(
  story: Story,
  each: ScenarioCase,
  port: number,
  upstream: RecordingUpstream,
  identity: 'forward' | 'static',
  look: Look,
): Promise<{ readonly different: string[]; readonly unsafe: string[]; readonly byRuntime: boolean }> {
  const different: string[] = [];
  const unsafe: string[] = [];
  let byRuntime = false;
  const bytes = bytesOf(story, each, callersToken);
  const client = new RawCaller(port, (index) => index === 0 && bytes.toString('latin1').startsWith('HEAD '));
  try {
    client.send(bytes);
    const difference = look.ownsConnections ? parserDifferenceOf(story.file, each.case) : undefined;
    const usual = each.statuses ?? [each.refuses === undefined ? 200 : Number(each.refuses.split(' ')[0])];
    const expected = difference?.statuses ?? usual;
    const answers = await client.answers(expected.length, 1500).catch(() => client.reading().messages);
    const statuses = answers.map(statusOf).join(' ');
    if (statuses !== expected.join(' '))
      different.push(`answered ${statuses === '' ? 'nothing' : statuses} instead of ${expected.join(' ')}`);
    byRuntime =
      answers.length < expected.length || answers.some((answer) => valuesOf(answer, 'x-request-id').length === 0);
    const last = answers[expected.length - 1];
    if (difference === undefined) different.push(...refusalDiffers(each, last));
    for (const answer of answers) different.push(...answerDiffers(answer));
    unsafe.push(...shownValues(story, each, answers));
    if (look.ownsConnections && (difference?.closes ?? each.connection === 'closed')) {
      const ending = await client.ended(1500).catch(() => 'open');
      if (ending !== 'closed') different.push(`the connection is ${ending}`);
    }
    // What comes late belongs to this case, not to the next one.
    if (!look.ownsConnections && different.length > 0) await wait(30);
    unsafe.push(...forwardedWrongly(story, each, upstream, identity, look));
    const asked = upstream.requests().length;
    const meant = forwardsOf(story, each).length;
    if (asked < meant) different.push(`forwarded ${asked} requests instead of ${meant}`);
  } finally {
    client.close();
    upstream.forget();
  }
  return { different, unsafe, byRuntime };
}

function forwardsOf(story: Story, each: ScenarioCase): readonly string[] {
  const values = { ...story.with, ...each.with };
  return (typeof each.forwards === 'string' ? [each.forwards] : (each.forwards ?? [])).map((line) =>
    fill(line, values),
  );
}

function refusalDiffers(each: ScenarioCase, answer: WireMessage | undefined): string[] {
  if (each.refuses === undefined || answer === undefined || answer.body.length === 0) return [];
  const different: string[] = [];
  try {
    const { error } = JSON.parse(answer.body.toString()) as {
      error: { code: string; details: { in: string; name: string }[] };
    };
    const code = each.refuses.split(' ')[1];
    if (error.code !== code) different.push(`code ${error.code} instead of ${code}`);
    const [detail] = error.details;
    const at = `${detail?.in} ${detail?.name}`.trim();
    if (each.at !== undefined && at !== each.at) different.push(`points at ${at} instead of ${each.at}`);
    if (each.allow !== undefined && valuesOf(answer, 'allow').join() !== each.allow)
      different.push('another Allow header');
  } catch {
    different.push('refused without the envelope');
  }
  return different;
}

function answerDiffers(answer: WireMessage): string[] {
  const guarded =
    valuesOf(answer, 'cache-control').join() === 'no-store' &&
    valuesOf(answer, 'x-content-type-options').join() === 'nosniff';
  const named = valuesOf(answer, 'x-request-id').length === 1;
  return guarded && named ? [] : ['without the headers of every answer'];
}

function shownValues(story: Story, each: ScenarioCase, answers: readonly WireMessage[]): string[] {
  const values = [...Object.values({ ...story.with, ...each.with }), callersToken].filter((value) => value.length > 5);
  const shown = answers.some(({ body }) => values.some((value) => body.toString().includes(value)));
  return shown ? ['an answer shows a value that was sent'] : [];
}

function forwardedWrongly(
  story: Story,
  each: ScenarioCase,
  upstream: RecordingUpstream,
  identity: 'forward' | 'static',
  look: Look,
): string[] {
  const wrong: string[] = [];
  const left = forwardsOf(story, each).map((line) => `${line} HTTP/1.1`);
  for (const reading of upstream.readings()) {
    if (reading.problem !== '' || reading.rest.length > 0) wrong.push('bytes reached the service that are no request');
  }
  const known = new Set([...ownNames, ...look.addedNames]);
  for (const request of upstream.requests()) {
    const index = left.indexOf(request.start);
    if (index === -1) wrong.push(`forwarded ${request.start}`);
    else left.splice(index, 1);
    const names = request.headers.map(([name]) => name);
    const foreign = names.filter((name) => !known.has(name));
    if (foreign.length > 0) wrong.push(`forwarded the headers ${foreign.join(', ')}`);
    if (new Set(names).size !== names.length) wrong.push('forwarded a header twice');
    if (request.body.length > 0) wrong.push('forwarded a body');
    const token = valuesOf(request, 'authorization');
    if (identity === 'static' && token.join() !== `Bearer ${ownToken}`) wrong.push('another token than the own one');
    for (const [name, value] of Object.entries(each.having ?? {})) {
      if (name === 'authorization' && identity === 'static') continue;
      if (look.addedNames.includes(name) && (value === null || name === 'accept-encoding')) continue;
      const meant = value === null ? '' : fill(value, { token: callersToken, ...story.with, ...each.with });
      if (valuesOf(request, name).join() !== meant) wrong.push(`forwarded another ${name}`);
    }
  }
  return wrong;
}
