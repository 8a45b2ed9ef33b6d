// The steps of the proxy as Hono middleware, for an app of one's own. They run wherever web standards do.
import type { MiddlewareHandler } from 'hono';
import type { Client, ClientAuth } from '../auth/client.js';
import { type ProxyConfig, resolveConfig } from '../config.js';
import { type CheckedRequest, compileChecks } from '../forward/check-request.js';
import { FetchTransport } from '../forward/transport/fetch/fetch-transport.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { Pipeline } from '../pipeline.js';
import type { PipelineParts } from '../pipeline-parts.js';
import { authenticate, checkAgainstContract, takeFromLimits } from '../steps/steps.js';
import { callOf, forwardThrough, isAlone, takeStep } from './hono-call.js';

export type { Client, ClientAuth } from '../auth/client.js';
export type { JwtOptions } from '../auth/jwt-options.js';
export type { CheckedRequest } from '../forward/check-request.js';
export type { LimitRates, RateLimits } from '../limits/rate-limits.js';
export { jwtAuth, type KeyOptions, keyAuth, rateLimits } from '../parts.js';

/** What the middleware has found out, for the handlers of an app: `context.get('client')`. */
export interface ProxyVariables {
  /** Who calls, after {@link clientAuth}. */
  client: Client;
  /** What is asked for, after {@link validateRequest}. */
  checkedRequest: CheckedRequest;
}

type ProxyMiddleware = MiddlewareHandler<{ Variables: ProxyVariables }>;

/** What {@link clientAuth} knows besides how clients are recognized. */
export interface ClientAuthOptions {
  /** Counts requests without good credentials by address. Default: they are not counted. */
  readonly limits?: RateLimits | undefined;
  /** Own proxies in front, whose `X-Forwarded-For` says the address of the client. Default 0 (the connection's own address). */
  readonly trustedHops?: number | undefined;
}

/**
 * Lets only known clients pass, and notes who calls.
 *
 * @param auth recognizes clients: `jwtAuth`, `keyAuth`, or one of your own
 * @example
 * app.use(clientAuth(keyAuth({ keyFile })));
 * app.get('/who', (context) => context.text(context.get('client').id));
 */
export function clientAuth(auth: ClientAuth, { limits, trustedHops }: ClientAuthOptions = {}): ProxyMiddleware {
  return (context, next) =>
    takeStep(
      context,
      next,
      async (call) => {
        await authenticate(call, auth, limits);
        context.set('client', call.client);
      },
      trustedHops,
    );
}

/**
 * Counts requests of the client that {@link clientAuth} has recognized, and, after {@link validateRequest}, those for its vehicle. Without
 * client authentication all clients are one.
 *
 * @param limits what counts: `rateLimits`, or one of your own
 */
export function rateLimit(limits: RateLimits): ProxyMiddleware {
  return async (context, next) => {
    let taken: readonly string[] = [];
    const response = await takeStep(context, next, async (call) => {
      const before = call.responseHeaders.length;
      await takeFromLimits(call, limits);
      if (isAlone(call)) taken = call.responseHeaders.slice(before);
    });
    const call = callOf(context)?.call;
    if (response !== undefined || call?.isForwarded) return response;
    for (let index = 0; index < taken.length; index += 2) context.header(taken[index] ?? '', taken[index + 1]);
    return undefined;
  };
}

/** What {@link validateRequest} allows. */
export type RequestRules = Pick<ProxyConfig, 'allowStopAll' | 'brands' | 'upstreamAuth' | 'upstreamAuthByBrand'>;

/**
 * Lets only requests pass that the contract allows and the client may make. What it rejects gets the error envelope of the service.
 *
 * @param rules brands, and whether a call that stops all sharing may pass. Default: the brands of the contract, and it may not
 */
export function validateRequest(rules: RequestRules = {}): ProxyMiddleware {
  const check = compileChecks(resolveConfig({ upstreamUrl: '', ...rules }));
  return (context, next) =>
    takeStep(context, next, (call) => {
      const checking = checkAgainstContract(call, check);
      if (call.checked !== null) context.set('checkedRequest', call.checked);
      return checking;
    });
}

/** What {@link forward} uses besides its configuration. */
export type ForwardParts = Partial<Omit<PipelineParts, 'clientAuth' | 'limits'>>;

/**
 * Sends requests of the contract to the upstream and passes its responses, with deadline, circuit breakers, one retry of a GET and the check
 * of responses. Every request is checked by the rules of this configuration, also where {@link validateRequest} has checked it before.
 *
 * @param parts the transport, for example. Default: the platform's `fetch`
 */
export function forward(config: ProxyConfig, parts: ForwardParts = {}): ProxyMiddleware {
  const { transport = new FetchTransport(config.upstreamUrl), ...others } = parts;
  return forwardThrough(new Pipeline(config, { ...others, transport }));
}
