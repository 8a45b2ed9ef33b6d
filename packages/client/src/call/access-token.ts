import type { Brand } from '../generated/schemas.js';
import type { TokenSource } from '../options.js';
import type { AccessTokens } from './call.js';

interface BrandTokens {
  rejected?: string;
  replacement?: string;
  /** When that refresh ended, in milliseconds since 1970. */
  endedAt: number;
  refresh?: Promise<string> | undefined;
}

/** Access tokens of one client: one refresh for each brand at a time, shared by every call that waits for it. */
export function createAccessTokens(source: TokenSource): AccessTokens {
  const brands: { [Name in Brand]?: BrandTokens } = {};
  return async ({ brand, operation, signal, clock, startedAt, deadlineAt }, rejected) => {
    if (typeof source !== 'function') return source;
    const ask = async (refresh: boolean, until: AbortSignal) =>
      source({ refresh, brand, operation: operation.id, signal: until });
    brands[brand] ??= { endedAt: 0 };
    const tokens = brands[brand];
    if (tokens.refresh) return tokens.refresh;
    const token = rejected ?? (await ask(false, signal));
    // Another call has replaced it since this one was sent, or a function that keeps giving it is not believed.
    // Of one that gave the same token, only calls that began before its end take the result.
    if (token === tokens.rejected && (token !== tokens.replacement || startedAt < tokens.endedAt))
      return tokens.replacement;
    if (rejected === undefined) return token;

    const tooLate = new AbortController();
    const refresh = ask(true, tooLate.signal).then((replacement) => {
      if (!tooLate.signal.aborted) Object.assign(tokens, { replacement, rejected, endedAt: clock.now() });
      return replacement;
    });
    // One that has not settled at the deadline of the call that started it, or after thirty seconds without one, is given
    // up, so that later calls start anew. A call that user code ended leaves it to the calls that wait for it too, and to the next
    // ones, until then.
    const giveUp = () => {
      drop();
      tooLate.abort();
    };
    const cancelDeadline = clock.after(deadlineAt === Infinity ? 30_000 : deadlineAt - clock.now(), giveUp);
    const drop = () => {
      cancelDeadline();
      if (tokens.refresh === refresh) tokens.refresh = undefined;
    };
    // The call's own timer can be first, and its error can start the next call at once.
    signal.addEventListener('abort', () => {
      if (signal.reason?.code === 'timeout') giveUp();
    });
    refresh.then(drop, drop);
    tokens.refresh = refresh;
    return refresh;
  };
}
