import { type HttpHandler, http } from 'msw';
import type { Sandbox } from './options.js';

/**
 * Makes a handler that passes every request below an address to a sandbox.
 *
 * @param sandbox The sandbox that responds.
 * @param baseUrl The base address of the service, as your application calls it. Its path may be longer than `/`.
 * @example
 * const server = setupServer(sandboxHandler(createSandbox(), 'https://api.example.com'));
 */
export function sandboxHandler(sandbox: Pick<Sandbox, 'fetch'>, baseUrl: string): HttpHandler {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  return http.all(`${origin}${prefix}/*`, ({ request }) => {
    const url = new URL(request.url);
    url.pathname = url.pathname.slice(prefix.length);
    return sandbox.fetch(new Request(url, request));
  });
}
