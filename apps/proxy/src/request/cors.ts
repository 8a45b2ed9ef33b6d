import { responseHeaders } from '../response/response-headers.js';
import { plannedHeaders, preflightMethodHeader } from './head-rules.js';
import type { IncomingRequest } from './incoming-request.js';

/** Web pages whose scripts may read responses. */
export interface CorsRules {
  /** Origins, such as `https://app.example.com`. */
  readonly origins: readonly string[];
  /** Methods that they may use. */
  readonly methods: readonly ('GET' | 'DELETE')[];
}

/** Time for which a browser may remember a preflight, in seconds: ten minutes. */
const maxAgeSeconds = 600;

const requestHeaders = [...plannedHeaders, 'content-type'].join(', ');
const readable = [...responseHeaders, 'x-request-id'];

/**
 * The headers that let a page of this origin read a response, as name, value, name, value; none when it may not.
 *
 * {@link https://fetch.spec.whatwg.org/#http-cors-protocol}
 */
export function corsHeaders(rules: CorsRules | null, origin: string | undefined): readonly string[] {
  if (rules === null) return [];
  const vary = ['vary', 'origin'];
  if (origin === undefined || !rules.origins.includes(origin)) return vary;
  return [...vary, 'access-control-allow-origin', origin, 'access-control-expose-headers', readable.join(', ')];
}

/** The headers of the response to a preflight; `null` when a request is none, or the page may not do what it asks for. */
export function preflightHeaders(rules: CorsRules | null, request: IncomingRequest): readonly string[] | null {
  if (rules === null || request.method !== 'OPTIONS') return null;
  const headers = corsHeaders(rules, request.header('origin'));
  const method = request.header(preflightMethodHeader);
  if (headers.length <= 2 || !rules.methods.some((each) => each === method)) return null;
  const allowed = ['access-control-allow-methods', rules.methods.join(', ')];
  const always = ['access-control-allow-headers', requestHeaders, 'access-control-max-age', String(maxAgeSeconds)];
  return [...headers.slice(0, 4), ...allowed, ...always];
}
