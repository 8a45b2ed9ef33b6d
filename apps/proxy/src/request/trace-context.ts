import type { IncomingRequest } from './incoming-request.js';

// https://www.w3.org/TR/trace-context/#traceparent-header; a later version may have more after the flags
const parentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/;
// https://www.w3.org/TR/trace-context/#tracestate-header; longer ones may be left out
const stateForm = /^[\x20-\x7e]{1,512}$/;

/** Headers of the trace context, lower-case. */
export const traceHeaders = ['traceparent', 'tracestate'] as const;

/** Whether a `traceparent` is one; a wrong one is left out, and the state with it. */
function isTraceParent(value: string): boolean {
  return value.length <= 128 && parentForm.test(value);
}

/** Whether a `tracestate` may be handed on. */
function isTraceState(value: string): boolean {
  return stateForm.test(value);
}

/** `traceparent` and `tracestate` of a request, as far as they are good, as name, value, name, value. */
export function traceContext(request: IncomingRequest): readonly string[] {
  const [parentHeader, stateHeader] = traceHeaders;
  const parent = request.header(parentHeader);
  if (parent === undefined || !isTraceParent(parent)) return [];
  const state = request.header(stateHeader);
  if (state === undefined || !isTraceState(state)) return [parentHeader, parent];
  return [parentHeader, parent, stateHeader, state];
}

/** The identifier of the trace in a `traceparent`. */
export function traceIdOf(traceParent: string): string {
  return traceParent.slice(3, 35);
}
