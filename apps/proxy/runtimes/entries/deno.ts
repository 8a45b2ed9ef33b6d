import process from 'node:process';
import { createProxy } from '../../dist/index.js';
import type { ServedProxy } from '../start-runtime.ts';

type Fetch = (request: Request) => Response | Promise<Response>;
declare const Deno: { serve(options: { port: number; hostname: string; onListen: () => void }, fetch: Fetch): void };

const list = JSON.parse(process.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const proxy = createProxy(config);
  Deno.serve({ port, hostname: '127.0.0.1', onListen() {} }, (request) => proxy.fetch(request));
}
