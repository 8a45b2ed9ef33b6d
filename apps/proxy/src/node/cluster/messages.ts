import type { DriftSnapshot } from '../../drift-report.js';
import type { Count } from '../../limits/counter.js';
import type { Rate } from '../../limits/rate.js';
import type { ManagedTokens } from '../../upstream-identity/managed-tokens.js';

/** The state of tokens as it can be shown. */
export type TokenStatuses = ReturnType<ManagedTokens['statuses']>;

/** One call that a worker wants to have counted. */
export interface Take {
  readonly rate: Rate;
  readonly key: string;
}

/** What a worker asks of what all workers share. */
export type Question =
  | { readonly kind: 'read'; readonly key: string }
  | { readonly kind: 'write'; readonly key: string; readonly text: string }
  | { readonly kind: 'lock'; readonly key: string; readonly ttlMs: number }
  | { readonly kind: 'unlock'; readonly lock: number }
  | { readonly kind: 'count'; readonly takes: readonly Take[] };

/** The answers to the questions, by their kind. */
export interface Answers {
  readonly read: string | null;
  readonly write: null;
  /** Number by which the lock is given back; `null` when somebody else has it. */
  readonly lock: number | null;
  readonly unlock: null;
  readonly count: readonly Count[];
}

/** What a worker can tell about itself. */
export interface WorkerReport {
  /** The metrics, as the library of metrics passes them between processes. */
  readonly metrics: readonly object[];
  readonly drift: DriftSnapshot;
  readonly tokens: TokenStatuses;
}

/** What a worker sends to the process that started it. */
export type FromWorker =
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'report'; readonly id: number; readonly report: WorkerReport }
  | { readonly kind: 'cannot-start'; readonly reason: string };

/** What a worker is sent. */
export type ToWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[keyof Answers] }
  | { readonly kind: 'report'; readonly id: number }
  | { readonly kind: 'drain' };

const fromWorker: ReadonlySet<unknown> = new Set(['question', 'report', 'cannot-start']);
const toWorker: ReadonlySet<unknown> = new Set(['answer', 'report', 'drain']);

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;
}

/** Whether a message is one of ours; the library of clusters sends others over the same way. */
export function isFromWorker(message: unknown): message is FromWorker {
  return fromWorker.has(kindOf(message));
}

export function isToWorker(message: unknown): message is ToWorker {
  return toWorker.has(kindOf(message));
}
