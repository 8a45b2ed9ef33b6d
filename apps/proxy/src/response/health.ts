import { type ProxyError, proxyError } from './proxy-error.js';

/** What the page of a path says about the proxy: a JSON text, or an error response. */
export function healthResponse(path: string, draining: boolean, warnings: readonly string[]): string | ProxyError {
  if (path === '/healthz') return '{"status":"ok"}';
  if (draining) return proxyError('shutting-down', [], ['retry-after', '1']);
  // Still ready: what is wrong is wrong everywhere, and without this proxy nobody would be served.
  return JSON.stringify({ status: 'ready', ...(warnings.length === 0 ? {} : { warnings }) });
}
