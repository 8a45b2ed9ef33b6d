// What middleware of one request shares: its call, kept by the context.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { ClientLeft, RequestLifetime } from '../forward/request-lifetime.js';
import { readNode } from '../handle-node.js';
import { readWeb } from '../handle-web.js';
import { OpenRecord } from '../observability/observer.js';
import type { Pipeline } from '../pipeline.js';
import { clientAddress, forwardedForHeader } from '../request/client-address.js';
import { traceContext } from '../request/trace-context.js';
import { ProxyError } from '../response/proxy-error.js';
import { endWithError } from '../steps/end-with-error.js';
import { type CallOwner, ProxyCall } from '../steps/proxy-call.js';
import { routeOf } from '../steps/steps.js';

/** A call of a context, and the response that it will get. */
interface HonoCall {
  readonly call: ProxyCall;
  readonly response: Response | Promise<Response>;
}

const calls = new WeakMap<Context, HonoCall>();

/** Time from the head of a request until its response begins, in milliseconds, where no proxy says another. */
const deadlineMs = 10_000;

/** Ends the calls of middleware in an app that is no proxy: its own handlers respond and keep their own records. */
const alone: CallOwner = {
  failed: (call, error) => endWithError(error, call, false, () => {}),
  ended: ({ lifetime }) => lifetime.end(),
};

export function isAlone(call: ProxyCall): boolean {
  return call.owner === alone;
}

export function callOf(context: Context): HonoCall | undefined {
  return calls.get(context);
}

/** Begins the call of a context in an app that is no proxy. @returns the response instead when its head is not good */
export async function beginAlone(context: Context, trustedHops = 0): Promise<HonoCall | Response> {
  const { incoming }: Partial<HttpBindings> = context.env ?? {};
  const { request: read, out, fault } = await readWeb(context.req.raw, deadlineMs);
  const request = { ...read, peerAddress: incoming?.socket.remoteAddress ?? read.peerAddress };
  const record = new OpenRecord(request.requestId);
  record.address = clientAddress(request.peerAddress, request.header(forwardedForHeader), trustedHops);
  const trace = traceContext(request);
  record.traceParent = trace.parent;
  const lifetime = new RequestLifetime(deadlineMs);
  const call = new ProxyCall({ request, out, record, lifetime, trace, span: null }, alone);
  out.listen(lifetime);
  if (fault !== null) {
    call.fail(fault);
    return out.response;
  }
  routeOf(call);
  const begun = { call, response: out.response };
  calls.set(context, begun);
  return begun;
}

/** Begins each call of a proxy. What is none, as its head is not good or it is a preflight, gets its response. */
export function beginCall(pipeline: Pipeline): MiddlewareHandler {
  return async (context, next) => {
    const begun = await beginIn(pipeline, context);
    return begun instanceof Response ? begun : passOn(begun, next, (call) => pipeline.admit(call));
  };
}

async function beginIn(pipeline: Pipeline, context: Context): Promise<HonoCall | Response> {
  const { env, req } = context;
  // What `@hono/node-server` brings to a request.
  const { incoming, outgoing }: Partial<HttpBindings> = env ?? {};
  const onNode = incoming !== undefined && outgoing !== undefined;
  const read = onNode
    ? { ...readNode(incoming, outgoing), response: RESPONSE_ALREADY_SENT }
    : await readWeb(req.raw, pipeline.config.deadlineMs, env?.waitUntil).then((web) => ({
        ...web,
        response: web.out.response,
      }));
  const { request, out, fault, response } = read;
  if (fault !== null) pipeline.reject(request, fault, out);
  if (fault !== null || pipeline.respondsToPreflight(request, out)) return response;
  const begun = { call: pipeline.begin(request, out), response };
  calls.set(context, begun);
  return begun;
}

/** Sends the requests of a proxy, and those of other apps. */
export function forwardThrough(pipeline: Pipeline) {
  return async (context: Context): Promise<Response> => {
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

/** A step of middleware. */
type CallStep = (call: ProxyCall) => void | Promise<void>;

/** Takes a step with the call of a context, and continues with what follows. @returns the response of a step that has ended the call */
export async function takeStep(
  context: Context,
  next: Next,
  step: CallStep,
  trustedHops?: number,
): Promise<Response | undefined> {
  const known = callOf(context);
  if (known !== undefined) return passOn(known, next, step);
  const begun = await beginAlone(context, trustedHops);
  if (begun instanceof Response) return begun;
  const response = await passOn(begun, next, step);
  if (!begun.call.isForwarded) begun.call.end();
  return response;
}

async function passOn({ call, response }: HonoCall, next: Next, step: CallStep): Promise<Response | undefined> {
  try {
    const taken = step(call);
    if (taken !== undefined) await taken;
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
  return undefined;
}
