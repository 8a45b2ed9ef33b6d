// The steps of a call, in their order. Each takes the call as the steps before it have left it, and throws what ends it.
import type { WithdrawalAudit } from '../audit/withdrawal-audit.js';
import { authUnavailable, type ClientAuth } from '../auth/client.js';
import { continueWith } from '../fence/block-names.js';
import type { Fence } from '../fence/fence.js';
import type { CheckRequest } from '../forward/check-request.js';
import { type ForwardPlan, noToken } from '../forward/forward-plan.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { matchRoute, pathOf, type RouteMatch } from '../request/routes.js';
import { proxyError } from '../response/proxy-error.js';
import type { TokenSource } from '../upstream-token/token-source.js';
import type { ProxyCall } from './proxy-call.js';
import { limited, notAudited, overloaded, unauthenticatedReason } from './rejections.js';

/** A step that is taken at once, where it can be: most requests wait for nothing but the upstream. */
export type Step = void | Promise<void>;

/** Finds the route, and notes what the log may say of the request. */
export function routeOf(call: ProxyCall): RouteMatch | null {
  if (call.match !== undefined) return call.match;
  const { request, record } = call;
  const match = matchRoute(pathOf(request.target));
  call.match = match;
  if (match !== null) record.template = match.route.template;
  // Only a method of the contract: any other could be chosen to carry something into the log.
  if (match?.route.operations.has(request.method)) record.method = request.method;
  return match;
}

/** Finds out who calls. @param limits count requests without good credentials by address, where they do */
export async function authenticate(call: ProxyCall, clientAuth: ClientAuth, limits?: RateLimits): Promise<void> {
  const { request, record, lifetime } = call;
  const failures = limits?.failures;
  const waitSeconds = failures?.waitSeconds(record.address) ?? 0;
  const slow = () => overloaded('client authentication was slow');
  const client = await lifetime.wait(clientAuth.authenticate(request, waitSeconds > 0), slow);
  if (client === authUnavailable)
    throw proxyError('client-auth-unavailable', [], ['retry-after', '10'], 'credentials cannot be checked');
  if (client === null || 'rejected' in client) {
    // Whoever has good credentials at the same address still passes.
    if (waitSeconds > 0) throw limited(unauthenticatedReason, waitSeconds);
    failures?.count(record.address);
    throw proxyError('invalid-client-credentials', [], ['www-authenticate', clientAuth.challenge], client?.rejected);
  }
  call.client = client;
  record.client = client.id;
  call.owner.recognized?.(call);
}

/** Checks the request against the contract and against the rights of its client. */
export function checkAgainstContract(call: ProxyCall, check: CheckRequest): Step {
  const { client, lifetime } = call;
  const checked = check(routeOf(call), call.request, client);
  call.checked = checked;
  const { vehicle } = checked;
  const mayUse = vehicle === '' ? client.vehicles === null : (client.vehicles?.allows(vehicle) ?? true);
  const decide = (may: boolean): Step => {
    if (!may) throw proxyError('operation-not-allowed');
    return call.owner.checked?.(call);
  };
  const slow = () => overloaded('the vehicles of the client were slow to check');
  return continueWith(lifetime.wait(mayUse, slow), decide);
}

/** Rejects what a withdrawal or an operator has blocked, and takes part in what is blocked from now on. */
export function enterFence(call: ProxyCall, plan: ForwardPlan, fence: Fence): Step {
  call.fenced = fence.enter(plan, { client: call.client.id, requestId: call.record.requestId }, call.lifetime);
  const slow = () => overloaded('the fence was slow to check');
  return continueWith(call.lifetime.wait(call.fenced.rejection(), slow), (rejection) => {
    if (rejection !== null) throw rejection;
  });
}

/** Counts the request against the limits, and says in the response what is left. */
export function takeFromLimits(call: ProxyCall, limits: RateLimits): Step {
  const { client, checked } = call;
  // No vehicle's limit may stop a withdrawal.
  const vehicle = checked?.repeatable ? checked.vehicle : '';
  const taken = limits.take(client, checked?.brand ?? '', vehicle);
  const slow = () => overloaded('rate limiting was slow');
  return continueWith(call.lifetime.wait(taken, slow), (headers) => {
    call.responseHeaders = [...call.responseHeaders, ...headers];
  });
}

/** An access token for the upstream. @returns empty when the request carries its own */
export function tokenFor(
  { lifetime }: ProxyCall,
  { brand }: ForwardPlan,
  tokens: TokenSource | null,
): string | Promise<string> {
  if (tokens === null) return '';
  const token = tokens.current(brand) ?? lifetime.wait(tokens.obtain(brand), () => noToken(1));
  return continueWith(token, (found) => {
    if (found === null) throw noToken(tokens.retryAfterSeconds(brand));
    return found;
  });
}

/** Notes that a withdrawal is about to be sent. @param withinMs time that it waits for its note, in milliseconds */
export async function noteWithdrawal(
  call: ProxyCall,
  { brand, vehicle }: ForwardPlan,
  audit: WithdrawalAudit,
  withinMs: number,
): Promise<void> {
  call.withdrawal = audit.begin(call.record, brand, vehicle, withinMs);
  if ((await call.lifetime.wait(call.withdrawal, notAudited)) === null) throw notAudited();
}
