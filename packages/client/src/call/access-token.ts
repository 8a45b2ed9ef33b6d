// Access tokens of a client: one refresh for each token function and brand at a time, shared by every call that waits for it.
import { callError } from '../call-error.js';
import { isToken } from '../checks/option-rules.js';
import { describeValue } from '../checks/rules.js';
import { AccessTokenError, CredentialsError } from '../errors.js';
import type { TokenRequest } from '../options.js';
import type { BrandTokens, Call, TokenFunction, TokenStores } from './call.js';

export function createTokenStores(): TokenStores {
  const stores = new WeakMap<TokenFunction, { readonly name: string; readonly brands: Map<string, BrandTokens> }>();
  let count = 0;
  const storeOf = (source: TokenFunction) => {
    const known = stores.get(source);
    if (known) return known;
    count += 1;
    const store = { name: `function ${count}`, brands: new Map<string, BrandTokens>() };
    stores.set(source, store);
    return store;
  };
  return {
    of(source, brand) {
      const { brands } = storeOf(source);
      const known = brands.get(brand);
      if (known) return known;
      const tokens: BrandTokens = { endedAt: 0 };
      brands.set(brand, tokens);
      return tokens;
    },
    nameOf: (source) => (typeof source === 'function' ? storeOf(source).name : `text ${source}`),
  };
}

/**
 * The token to use now, or one in place of a token that the service has rejected.
 *
 * @throws CredentialsError for one that a header cannot carry.
 */
export async function askToken(call: Call, rejected?: string): Promise<string | undefined> {
  const { accessToken } = call;
  let token: string | null | undefined;
  try {
    token = typeof accessToken === 'function' ? await tokenOf(call, accessToken, rejected) : accessToken;
  } catch (cause) {
    const reason = 'accessToken failed';
    throw callError(call, AccessTokenError, 'access-token-unavailable', 'refresh-token', reason, { cause });
  }
  if (token === undefined && accessToken === undefined && call.operation.isTokenOptional) return undefined;
  if (!isToken(token)) {
    const reason = `accessToken must give a token without "Bearer"; got ${describeValue(token)}`;
    throw callError(call, CredentialsError, 'no-access-token', 'fix-credentials', reason);
  }
  call.secrets.push(token);
  return token;
}

async function tokenOf(call: Call, source: TokenFunction, rejected: string | undefined): Promise<string | undefined> {
  const { brand, operation, signal, startedAt, tokenStores } = call;
  const tokens = tokenStores.of(source, brand);
  if (tokens.refresh) return tokens.refresh(call);
  const request: TokenRequest = { refresh: false, brand, operation: operation.id, signal };
  const token = rejected ?? (await source(request));
  // Another call has replaced it since this one was sent, or a function that keeps giving it is not believed.
  // Of one that gave the same token, only calls that began before its end take the result.
  if (token === tokens.rejected && (token !== tokens.replacement || startedAt < tokens.endedAt))
    return tokens.replacement;
  return rejected === undefined ? token : startRefresh(call, source, tokens, rejected);
}

function startRefresh(call: Call, source: TokenFunction, tokens: BrandTokens, rejected: string): Promise<string> {
  const { brand, operation, clock } = call;
  const tooLate = new AbortController();
  const request: TokenRequest = { refresh: true, brand, operation: operation.id, signal: tooLate.signal };
  const refresh = (async () => source(request))().then((replacement) => {
    if (!tooLate.signal.aborted) Object.assign(tokens, { replacement, rejected, endedAt: clock.now() });
    return replacement;
  });
  // One that has not settled at the last deadline of the calls that wait for it, or thirty seconds after one without came, is
  // given up, so that later calls start anew. A call that user code ended leaves it to the calls that wait for it too, and to
  // the next ones, until then.
  let giveUpAt = 0;
  let cancelDeadline = () => {};
  const drop = () => {
    cancelDeadline();
    if (tokens.refresh === join) tokens.refresh = undefined;
  };
  const watchDeadline = () => {
    cancelDeadline();
    if (tokens.refresh !== join) return;
    const leftMs = giveUpAt - clock.now();
    if (leftMs > 0) cancelDeadline = clock.after(leftMs, watchDeadline);
    else {
      drop();
      tooLate.abort();
    }
  };
  const join = ({ deadlineAt, signal }: Call) => {
    giveUpAt = Math.max(giveUpAt, deadlineAt === Infinity ? clock.now() + 30_000 : deadlineAt);
    // The call's own timer can be first, and its error can start the next call at once.
    signal.addEventListener('abort', watchDeadline);
    return refresh;
  };
  tokens.refresh = join;
  refresh.then(drop, drop);
  join(call);
  watchDeadline();
  return refresh;
}
