// What the console of a page and the place of its response share: the last response, and the sandbox that runs inside the page.
import { shallowRef } from 'vue';
import type { ConsoleSpec } from '../../build/pages/console.ts';

/** A response as the page shows it. */
export interface Live {
  readonly spec: ConsoleSpec;
  /** Status, time, size and who responded; or what went wrong. */
  readonly summary: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as text; empty until it has arrived. */
  readonly body: string;
}

export const live = shallowRef<Live>();

type Sandbox = Pick<import('@vehicle-data/sandbox').Sandbox, 'fetch'>;
let sandbox: Promise<Sandbox> | undefined;

/** The sandbox inside the page. It is loaded with the first request, and its state ends with the page. */
export function sandboxOfPage(): Promise<Sandbox> {
  sandbox ??= import('@vehicle-data/sandbox').then(({ createSandbox }) =>
    createSandbox({ now: new Date('2026-03-09T07:00:00Z') }),
  );
  // A chunk that did not load is loaded again with the next request.
  sandbox.catch(() => resetSandbox());
  return sandbox;
}

/** Puts the sandbox inside the page back to its start. */
export function resetSandbox(): void {
  sandbox = undefined;
}
