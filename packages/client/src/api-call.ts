import type { Meta } from './generated/schemas.js';

/** Call metadata with `success` as a boolean, whichever way the service wrote it. */
export type AnswerMeta = Omit<Meta, 'success'> & { success: boolean };

/** A payload with what came beside it. */
export interface Answer<Data> {
  readonly data: Data;
  readonly meta: AnswerMeta;
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** The service's identifier of the call. */
  readonly requestId: string | undefined;
}

/** An answer whose payload says when the vehicle sent it. */
export interface AgedAnswer<Data> extends Answer<Data> {
  /**
   * How old the payload was when the service answered, in milliseconds and never negative; `null` where the record has no
   * time. Nothing wakes the car: asking again brings no newer value.
   */
  readonly dataAgeMs: number | null;
}

/**
 * A call under way. Awaited, it gives the payload or throws a typed error; `withResponse()` gives the same call with meta,
 * status, headers and request identifier. It is one call, however often it is awaited.
 */
export class ApiCall<Data, Full extends Answer<Data> = Answer<Data>> implements Promise<Data> {
  readonly #answer: Promise<Full>;
  readonly [Symbol.toStringTag] = 'ApiCall';

  constructor(answer: Promise<Full>) {
    this.#answer = answer;
  }

  /** The payload together with meta, status, headers and request identifier. */
  withResponse(): Promise<Full> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a promise of the payload, made when it is asked for.
  then<Result = Data, Failure = never>(
    onFulfilled?: ((value: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Failure = never>(
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Data | Failure> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}
