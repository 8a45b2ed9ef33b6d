import type { ProxyCore } from './core.js';
import { type Refusal, refusal } from './refusal.js';

/** What the page of a path says about the proxy: a JSON text, or a refusal; `null` when the path is of no such page. */
export function healthAnswer(core: ProxyCore, path: string): string | Refusal | null {
  if (path === '/healthz') return '{"status":"ok"}';
  if (path !== '/readyz') return null;
  return core.draining ? refusal('shutting-down', [], ['retry-after', '1']) : '{"status":"ready"}';
}
