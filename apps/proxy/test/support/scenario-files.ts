import { readdirSync, readFileSync } from 'node:fs';
import { operations } from '@vehicle-data/openapi';
import { parse } from 'yaml';

/** One row of a story's table. */
export interface ScenarioCase {
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
  /** Status and code of the proxyError. */
  readonly refuses?: string;
  /** Place and name that the first detail of the proxyError must give. */
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

/** A story: what must hold, why, and the table of cases that show it. */
export interface Story {
  readonly file: string;
  readonly story: string;
  readonly because: string;
  readonly allowStopAll?: boolean;
  readonly send?: string;
  readonly with?: Readonly<Record<string, string>>;
  /** What holds for every case that does not say otherwise. */
  readonly every?: Omit<ScenarioCase, 'case'>;
  readonly cases: readonly ScenarioCase[];
}

const folder = new URL('../scenarios/', import.meta.url);

/** An empty field of a case takes back what `every` says. */
function withoutEmpty(each: ScenarioCase): ScenarioCase {
  return Object.fromEntries(Object.entries(each).filter(([, value]) => value !== null)) as unknown as ScenarioCase;
}

/** Reads every story; a file with a mistake stops the tests. */
export function readStories(): Story[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const story = parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<Story, 'file'>;
      return { file, ...story, cases: story.cases.map((each) => withoutEmpty({ ...story.every, ...each })) };
    });
}

/** How many days the end of a range may lie after its start. */
const limitDays = operations.getDrivingData.dateRange.maxDays;

/** A day so many days after another one, both written yyyyMMdd. */
function later(day: string, days: number): string {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10).replaceAll('-', '');
}

/**
 * Puts the values of a case into a text: `{name}`, `{20 x a}` for twenty times `a`, and `{20260301 + limit}` for the last day of the
 * longest range.
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

/** The bytes that a case sends. */
export function bytesOf(story: Story, each: ScenarioCase, token: string): Buffer {
  const values = { token, ...story.with, ...each.with };
  if (each.bytes !== undefined) return Buffer.from(fill(each.bytes, values), 'latin1');
  const lines = (each.send ?? story.send ?? '').replace(/\n$/, '').split('\n');
  return Buffer.from(fill(`${lines.join('\r\n')}\r\n\r\n`, values), 'latin1');
}
