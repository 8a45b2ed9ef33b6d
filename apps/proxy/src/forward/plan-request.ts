import type { ResolvedConfig } from '../config.js';
import type { IncomingRequest } from '../request/incoming-request.js';
import { type TraceContext, traceContextHeaders } from '../request/trace-context.js';
import { codingFor } from '../response/response-headers.js';
import type { CheckedRequest } from './check-request.js';
import type { ForwardPlan } from './forward-plan.js';

/** Makes what builds the upstream request anew from a checked one. */
export function compilePlanner(config: ResolvedConfig, keepsCoding: boolean) {
  // What is enforced is checked before it is passed, and compressed bytes cannot be looked into in step.
  const mayBeCoded = keepsCoding && config.validateResponses !== 'enforce';
  const base = new URL(config.upstreamUrl).pathname.replace(/\/$/, '');

  return function planRequest(checked: CheckedRequest, request: IncomingRequest, trace: TraceContext): ForwardPlan {
    const { operationId, method, target, repeatable, brand, vehicle, days, token, authorization } = checked;
    const coding = mayBeCoded ? codingFor(request.header('accept-encoding')) : 'identity';
    const headers = ['accept', 'application/json', 'accept-encoding', coding, 'x-request-id', request.requestId];
    headers.push(...traceContextHeaders(trace));
    if (authorization !== '') headers.push('authorization', `Bearer ${authorization}`);
    headers.push(...checked.headers);
    const upstream = { method, target: base + target, headers, repeatable };
    return { operationId, coding, request: upstream, brand, vehicle, days, token };
  };
}
