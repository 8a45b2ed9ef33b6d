import process from 'node:process';
import { createProxy } from '../../dist/index.js';
import type { ServedProxy } from '../start-runtime.ts';

type Fetch = (request: Request) => Response | Promise<Response>;
interface Options {
  readonly port: number;
  readonly hostname: string;
}
declare const Bun: { serve(options: Options & { readonly fetch: Fetch }): void };
declare const Deno: { serve(options: Options & { onListen(): void }, fetch: Fetch): void };

const list = JSON.parse(process.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const proxy = createProxy(config);
  const options = { port, hostname: '127.0.0.1', fetch: (request: Request) => proxy.fetch(request), onListen() {} };
  if ('Deno' in globalThis) Deno.serve(options, options.fetch);
  else Bun.serve(options);
}
