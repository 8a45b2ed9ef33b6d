import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { parse } from 'yaml';
import type { RawUpstream } from './servers.ts';
import { RawClient, statusOf, valuesOf, type WireMessage } from './wire.ts';

export const clientToken = 'client-token-1';
export const ownToken = 'own-token-1';

/** Names of what a case may say. */
const fields = 'case with send bytes forwards having rejects at allow statuses connection identity'.split(' ');

/** One row of a story's table. */
interface ScenarioCase {
  readonly case: string;
  readonly with?: Readonly<Record<string, string>>;
  /** Lines of a request; each is sent with CR LF, and an empty line follows. */
  readonly send?: string;
  /** Exact characters to send, when lines are the very point. */
  readonly bytes?: string;
  /** Request lines that must reach the upstream, without the version. */
  readonly forwards?: string | readonly string[];
  /** Headers that the forwarded request must have with this value; `null` for one it must not have. */
  readonly having?: Readonly<Record<string, string | null>>;
  /** Status and code of the error response. */
  readonly rejects?: string;
  /** Place and name that the first detail of the error response must give. */
  readonly at?: string;
  /** Value of the response's `Allow` header. */
  readonly allow?: string;
  /** Statuses of all responses in order, where one connection carries more than one request. */
  readonly statuses?: readonly number[];
  /** Whether the connection stays in use or is closed. Without it, it stays in use. */
  readonly connection?: 'open' | 'closed';
  /** Identity with which the case makes sense; without it, both. */
  readonly identity?: 'forward' | 'static';
}

/** A scenario: a case with all that its story says about every case. */
export interface Scenario extends ScenarioCase {
  /** The file of the story, what must hold in it, and whether the proxy has to allow a withdrawal for a brand. */
  readonly file: string;
  readonly story: string;
  readonly allowStopAll: boolean;
  readonly values: Readonly<Record<string, string>>;
}

interface Story {
  readonly story: string;
  readonly because: string;
  readonly allowStopAll?: boolean;
  readonly send?: string;
  readonly with?: Readonly<Record<string, string>>;
  /** What holds for every case that does not say otherwise; an empty field of a case takes it back, and `forwards` a `rejects`. */
  readonly every?: Omit<ScenarioCase, 'case'>;
  readonly cases: readonly ScenarioCase[];
}

/** A file of the tests as YAML has it; a mistake in it stops them. */
export function readYaml<T>(path: string): T {
  return parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')) as T;
}

/** An object without the fields that are `null`, by which a case takes back what its story says. */
export function withoutNull<Fields extends object>(fields: Fields) {
  const given = { ...fields };
  for (const name of Object.keys(given)) if (Reflect.get(given, name) === null) Reflect.deleteProperty(given, name);
  return given as { [Name in keyof Fields]: Exclude<Fields[Name], null> };
}

/** Every scenario of the stories. */
export const scenarios: readonly Scenario[] = readdirSync(new URL('../scenarios/', import.meta.url))
  .sort()
  .flatMap((file) => {
    const { story, allowStopAll = false, send = '', every, cases, ...rest } = readYaml<Story>(`scenarios/${file}`);
    return cases.map((each) => {
      const accepted = each.forwards === undefined ? {} : { rejects: null };
      const entries = Object.entries({ ...every, ...accepted, ...each });
      // Such as what follows a comma in a title of a flow map.
      if (!entries.every(([field]) => fields.includes(field)))
        throw new Error(`${file}: ${each.case}: an unknown field`);
      const values = { ...rest.with, ...each.with };
      return { send, ...withoutNull({ ...every, ...accepted, ...each }), file, story, allowStopAll, values };
    });
  });

/** How many days the end of a range may lie after its start. */
const limitDays = operations.getDrivingData.dateRange.maxDays;

/** A day so many days after another one, both written yyyyMMdd. */
function later(day: string, days: number): string {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10).replaceAll('-', '');
}

/**
 * Puts values into a text: `{name}`, `{20 x a}` for twenty times `a`, and `{20260301 + limit}` for the last day of the longest
 * range.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .replace(/\{([a-z][A-Za-z]*)\}/g, (whole, name: string) => values[name] ?? whole)
    .replace(/\{(\d{8}) \+ limit(?: \+ (\d+))?\}/g, (_, day: string, more = '0') =>
      later(day, limitDays + Number(more)),
    )
    .replace(/\{(\d+) x ([^}]+)\}/g, (_, count: string, unit: string) =>
      unit.replaceAll('\\r\\n', '\r\n').repeat(Number(count)),
    );
}

/** The bytes that a scenario sends. */
export function bytesOf({ bytes, send = '', values }: Scenario, token: string): Buffer {
  const text = bytes ?? `${send.replace(/\n$/, '').replaceAll('\n', '\r\n')}\r\n\r\n`;
  return Buffer.from(fill(text, { token, ...values }), 'latin1');
}

/** What Node's own parser says in other words than the rules of the proxy, which it says without a detail. */
interface ParserDifference extends Pick<ScenarioCase, 'statuses' | 'rejects' | 'connection'> {
  readonly file: string;
  readonly cases: readonly string[];
  /** Why it is safe. */
  readonly because: string;
}

const parserDifferences = readYaml<readonly ParserDifference[]>('node-parser.yaml');

/** A scenario as the program plays it, whose server has Node's own parser. */
function withParser(scenario: Scenario): Scenario {
  const { file, case: name } = scenario;
  const difference = parserDifferences.find((each) => each.file === file && each.cases.includes(name));
  if (difference === undefined) return scenario;
  const { at, allow, ...other } = scenario;
  return { ...other, ...difference };
}

/** How a proxy that plays scenarios is served. */
export interface Platform {
  /** Header names that the platform's HTTP client adds to requests to the upstream. */
  readonly addedNames: readonly string[];
  /** Whether the program's own server reads requests: then connections, envelopes and the next request are checked too. */
  readonly ownServer: boolean;
}

/** What was otherwise than the story says. */
export interface Outcome {
  readonly different: readonly string[];
  /** What must hold everywhere: exactly the stated requests reach the upstream, and no response shows a value that was sent. */
  readonly wrong: readonly string[];
}

/** Sends the bytes of a scenario and compares everything that both sides of the proxy got with the story. */
export async function playScenario(
  given: Scenario,
  port: number,
  upstream: RawUpstream,
  identity: 'forward' | 'static',
  { addedNames, ownServer }: Platform,
): Promise<Outcome> {
  const scenario = ownServer ? withParser(given) : given;
  const different: string[] = [];
  const timeoutMs = ownServer ? 60_000 : 1500;
  const bytes = bytesOf(scenario, clientToken);
  const client = new RawClient(port, (index) => index === 0 && bytes.toString('latin1').startsWith('HEAD '));
  try {
    client.send(bytes);
    const { rejects = '200', statuses: expected = [Number(rejects.split(' ')[0])] } = scenario;
    const responses = await client.responses(expected.length, timeoutMs).catch(() => client.reading().messages);
    const statuses = responses.map(statusOf).join(' ');
    if (statuses !== expected.join(' '))
      different.push(`status ${statuses || 'none'} instead of ${expected.join(' ')}`);
    const last = responses[expected.length - 1];
    different.push(...errorDiffers(scenario, last));
    for (const response of responses) different.push(...headersDiffer(response));
    const closes = scenario.connection === 'closed';
    if (ownServer && closes) {
      if (last !== undefined && valuesOf(last, 'connection').join() !== 'close') different.push('no Connection: close');
      const ending = await client.ended(timeoutMs).catch(() => 'open');
      if (ending !== 'closed') different.push(`the connection is ${ending}`);
    }
    // What comes late belongs to this case, not to the next one.
    if (!ownServer && different.length > 0) await wait(30);
    const wrong = [
      ...shownValues(scenario, responses),
      ...forwardedWrongly(scenario, upstream, identity === 'static', addedNames),
    ];
    if (ownServer && !closes) different.push(...(await isOutOfStep(client, expected.length)));
    if (ownServer && client.reading().rest.length > 0) different.push('bytes after the last response');
    if (client.reading().problem !== '') different.push(client.reading().problem);
    return { different, wrong };
  } finally {
    client.close();
    upstream.forget();
  }
}

function forwardsOf({ forwards = [], values }: Scenario): readonly string[] {
  return [forwards].flat().map((line) => `${fill(line, values)} HTTP/1.1`);
}

/** Whether the contract does not list an error for the operation that the first request of a scenario calls. */
function isUnlisted(scenario: Scenario, code: string): boolean {
  const [, method, path = ''] = /^(\S+) ([^ ?]+)/.exec(bytesOf(scenario, clientToken).toString('latin1')) ?? [];
  const isCalled = (template: string) => new RegExp(`^${template.replace('{vin}', '[^/]+')}$`).test(path);
  const called = Object.values(operations).find((each) => each.method === method && isCalled(each.path));
  const listed: readonly string[] = errorCatalogue.find((entry) => entry.code === code)?.operations ?? [];
  return called !== undefined && !listed.includes(called.operationId);
}

function errorDiffers(scenario: Scenario, response: WireMessage | undefined): string[] {
  const { rejects, at, allow } = scenario;
  const code = rejects?.split(' ')[1];
  if (code === undefined || response === undefined || response.body.length === 0) return [];
  try {
    const { error } = JSON.parse(response.body.toString()) as {
      error: { code: string; details: { in: string; name: string; reason: string }[] };
    };
    const [detail] = error.details;
    const place = `${detail?.in} ${detail?.name}`.trim();
    return [
      ...(error.code === code ? [] : [`code ${error.code} instead of ${code}`]),
      ...(isUnlisted(scenario, code) ? ['a code that the contract does not list here'] : []),
      ...(at === undefined || place === at ? [] : [`points at ${place} instead of ${at}`]),
      ...(at === undefined || detail?.reason.trim() ? [] : ['a detail without a reason']),
      ...(allow === undefined || valuesOf(response, 'allow').join() === allow ? [] : ['another Allow header']),
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

function shownValues({ values }: Scenario, responses: readonly WireMessage[]): string[] {
  const hidden = [...Object.values(values), clientToken].filter(({ length }) => length > 5);
  const shown = responses.some(({ body }) => hidden.some((value) => body.toString().includes(value)));
  return shown ? ['a response shows a value that was sent'] : [];
}

const plannedNames = ['accept', 'accept-encoding', 'authorization', 'brand', 'host', 'traceparent', 'tracestate'];

function forwardedWrongly(
  scenario: Scenario,
  upstream: RawUpstream,
  withOwnToken: boolean,
  addedNames: readonly string[],
): string[] {
  const wrong: string[] = [];
  const left = [...forwardsOf(scenario)];
  for (const { problem, rest } of upstream.readings())
    if (problem !== '' || rest.length > 0) wrong.push('bytes reached the upstream that are no request');
  for (const request of upstream.requests()) {
    const index = left.indexOf(request.start);
    if (index === -1) wrong.push(`forwarded ${request.start}`);
    else left.splice(index, 1);
    const names = request.headers.map(([name]) => name);
    const allowed = [...plannedNames, 'x-request-id', ...addedNames];
    const foreign = names.filter((name) => !allowed.includes(name));
    if (foreign.length > 0) wrong.push(`forwarded the headers ${foreign.join(', ')}`);
    if (new Set(names).size !== names.length) wrong.push('forwarded a header twice');
    if (request.body.length > 0) wrong.push('forwarded a body');
    const token = valuesOf(request, 'authorization').join();
    if (withOwnToken && token !== `Bearer ${ownToken}`) wrong.push('another token than its own');
    for (const [name, value] of Object.entries(scenario.having ?? {})) {
      if (name === 'authorization' && withOwnToken) continue;
      if (addedNames.includes(name) && (value === null || name === 'accept-encoding')) continue;
      const meant = value === null ? '' : fill(value, { token: clientToken, ...scenario.values });
      if (valuesOf(request, name).join() !== meant) wrong.push(`forwarded another ${name}`);
    }
  }
  for (const line of left) wrong.push(`did not forward ${line}`);
  return wrong;
}

/** Sends one more good request on the same connection: the next response must be its own. */
async function isOutOfStep(client: RawClient, before: number): Promise<string[]> {
  const id = 'still-in-step';
  client.send(`GET /v1/vehicles/consent HTTP/1.1\r\nHost: proxy.test\r\nBrand: brand_a\r\nX-Request-Id: ${id}\r\n\r\n`);
  const response = (await client.responses(before + 1).catch(() => []))[before];
  const inStep = statusOf(response) === 200 && valuesOf(response, 'x-request-id').join() === id;
  return inStep ? [] : ['the next request does not get its response'];
}
