import type { IncomingRequest } from './incoming-request.js';

// https://www.w3.org/TR/trace-context/#traceparent-header; a later version may have more after the flags
const parentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/;
// https://www.w3.org/TR/trace-context/#tracestate-header
const memberForm = /^[ \t]*[a-z0-9][a-z0-9_*/@-]*=[\x20-\x2b\x2d-\x3c\x3e-\x7e]*$/;
/** A longer state may be left out. */
const maxStateLength = 512;

export const traceHeaders = ['traceparent', 'tracestate'] as const;

/** The trace that a request belongs to. */
export interface TraceContext {
  /** `traceparent`, or empty. */
  readonly parent: string;
  /** `tracestate`, or empty. */
  readonly state: string;
}

const none: TraceContext = { parent: '', state: '' };

/** The trace context of a request. A wrong parent is left out, and the state with it. */
export function traceContext(request: Pick<IncomingRequest, 'header'>): TraceContext {
  const [parentHeader, stateHeader] = traceHeaders;
  const sent = request.header(parentHeader);
  if (sent === undefined || sent.length > 128 || !parentForm.test(sent)) return none;
  // Of a later version, what this one knows: https://www.w3.org/TR/trace-context/#versioning-of-traceparent
  const parent = `00${sent.slice(2, 55)}`;
  const state = request.header(stateHeader) ?? '';
  const isState = state.length <= maxStateLength && state.split(',').every((member) => memberForm.test(member));
  return { parent, state: isState ? state : '' };
}

/** A trace context as headers: name, value, name, value. */
export function traceContextHeaders({ parent, state }: TraceContext): readonly string[] {
  if (parent === '') return [];
  return state === '' ? [traceHeaders[0], parent] : [traceHeaders[0], parent, traceHeaders[1], state];
}

export function traceIdOf(traceParent: string): string {
  return traceParent.slice(3, 35);
}
