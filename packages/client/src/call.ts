import type { AccessTokens } from './access-token.js';
import type { AnswerMeta } from './api-call.js';
import type { CallOptions } from './call-options.js';
import type { Transport } from './client-options.js';
import type { Clock } from './clock.js';
import type { Hooks, Logger } from './observe.js';
import type { Operation } from './operation.js';
import type { AnswerValidation } from './validate-answer.js';

/** The client's options, checked once and with every default in place. */
export interface Settings {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly brand?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tokens: AccessTokens;
  readonly fetch: Transport;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly maxAnswerBytes: number;
  readonly validate?: AnswerValidation | undefined;
  readonly hooks?: Hooks | undefined;
  readonly logger?: Logger | undefined;
  readonly clock: Clock;
}

/** One call under way, through all its attempts. */
export interface Call {
  readonly operation: Operation;
  readonly settings: Settings;
  readonly options: CallOptions;
  readonly signal: AbortSignal;
  /** What the transport gets beside the request. */
  readonly init: { readonly signal?: AbortSignal };
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** Values that no message may repeat. */
  readonly secrets: string[];
  attempt: number;
  /** Whether the attempt under way may have reached the service. */
  sent: boolean;
}

/** What the service answered, read and checked. */
export interface ReadAnswer {
  readonly body: unknown;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: AnswerMeta;
  readonly response: Response;
  readonly requestId: string | undefined;
}
