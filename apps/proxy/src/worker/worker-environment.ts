import { readSettings, type SettingsReading } from '../config/read-settings.js';
import { forEveryone } from '../config/worker-settings.js';

/** Variables, secrets and bindings of the Worker; the first two by the names that the program has in its environment. */
export type WorkerEnvironment = Readonly<Record<string, unknown>>;

/** What the platform passes with each request: https://developers.cloudflare.com/workers/runtime-apis/context/ */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

export function workerSettings(environment: WorkerEnvironment): SettingsReading {
  const texts = Object.entries(environment).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return readSettings({
    environment: { ...forEveryone, ...Object.fromEntries(texts) },
    arguments: [],
    readFile() {
      throw new Error('a Worker has no files');
    },
  });
}

export function print(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the console is a Worker's log
  console.log(line);
}

/** Writes fields with the time as one line of JSON. */
export function printLine(fields: Readonly<Record<string, unknown>>): void {
  printMembers(JSON.stringify(fields).slice(1, -1));
}

/** Writes the text of members with the time as one line of JSON. */
export function printMembers(members: string): void {
  print(`{"time":"${new Date().toISOString()}",${members}}`);
}
