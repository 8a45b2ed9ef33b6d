import type { ProxyConfig } from '../../src/config.js';
import type { PipelineParts } from '../../src/pipeline.js';
import { startProxy } from './proxy.ts';

/** Starts a proxy in this process with parts of the test's choice. */
export async function startGuarded(config: ProxyConfig, parts: Partial<Omit<PipelineParts, 'transport'>>) {
  const proxy = await startProxy(config, {}, parts);
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` };
}
