// The steps of the proxy as Hono middleware, for an app of one's own. They run wherever web standards do.
import type { Context, MiddlewareHandler, Next } from 'hono';
import type { ClientAuth } from '../auth/client.js';
import type { Client } from '../auth/client.js';
import { type ProxyConfig, resolveConfig } from '../config.js';
import { type CheckedRequest, compileChecks } from '../forward/check-request.js';
import { ClientLeft } from '../forward/request-lifetime.js';
import { FetchTransport } from '../forward/transport/fetch/fetch-transport.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { Pipeline, type PipelineParts } from '../pipeline.js';
import { ProxyError } from '../response/proxy-error.js';
import type { ProxyCall } from '../steps/proxy-call.js';
import { authenticate, checkAgainstContract, takeFromLimits } from '../steps/steps.js';
import { beginAlone, callOf, isAlone } from './hono-call.js';

export type { Client, ClientAuth } from '../auth/client.js';
export type { CheckedRequest } from '../forward/check-request.js';
export type { JwtOptions } from '../auth/jwt-options.js';
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
    takeStep(context, next, trustedHops, async (call) => {
      await authenticate(call, auth, limits);
      context.set('client', call.client);
    });
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
    const response = await takeStep(context, next, undefined, async (call) => {
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
    takeStep(context, next, undefined, async (call) => {
      await checkAgainstContract(call, check);
      if (call.checked !== null) context.set('checkedRequest', call.checked);
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

/** Sends the requests of a proxy, and those of other apps. */
export function forwardThrough(pipeline: Pipeline): ProxyMiddleware {
  return async (context) => {
    const begun = callOf(context) ?? (await beginAlone(context));
    if (begun instanceof Response) return begun;
    const { call, response } = begun;
    call.isForwarded = true;
    const send = async () => {
      if (isAlone(call)) pipeline.adopt(call);
      await pipeline.send(call);
    };
    void send()
      .catch((error: unknown) => call.fail(error))
      .then(() => call.end());
    return response;
  };
}

/** Takes a step with the call of a context, and continues with what follows. @returns the response of a step that has ended the call */
export async function takeStep(
  context: Context,
  next: Next,
  trustedHops: number | undefined,
  step: (call: ProxyCall) => void | Promise<void>,
): Promise<Response | undefined> {
  const known = callOf(context);
  const begun = known ?? (await beginAlone(context, trustedHops));
  if (begun instanceof Response) return begun;
  const { call, response } = begun;
  try {
    await step(call);
  } catch (error) {
    // The app that has its own handlers has its own handler of errors.
    if (isAlone(call) && !(error instanceof ProxyError || error instanceof ClientLeft)) {
      call.end();
      throw error;
    }
    call.fail(error);
    return response;
  }
  await next();
  if (known === undefined && !call.isForwarded) call.end();
  return undefined;
}
