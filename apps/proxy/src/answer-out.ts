import type { Refusal } from './refusal.js';

/** The caller's side of one call: a raw connection on Node, a `Response` elsewhere. */
export interface AnswerOut {
  /** Answers with the proxy's own envelope. */
  refuse(refused: Refusal): void;
  /** Answers with a body that is here in full. */
  whole(status: number, headers: readonly string[], body: Uint8Array): void;
  /** Starts an answer whose body follows; `length` is `null` when it is not known. */
  begin(status: number, headers: readonly string[], length: number | null): void;
  /** Hands a piece of the body on. Returns whether more may come now; after `false` the call is resumed by `Exchange.resume`. */
  data(chunk: Uint8Array): boolean;
  /** Ends a whole answer. */
  end(): void;
  /** Breaks an answer off so that the caller cannot take it for whole. */
  cut(): void;
}
