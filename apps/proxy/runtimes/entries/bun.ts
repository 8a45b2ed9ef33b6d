import { createProxy } from '../../dist/index.js';
import type { ServedProxy } from '../start-runtime.ts';

type Fetch = (request: Request) => Response | Promise<Response>;
declare const Bun: {
  env: Record<string, string | undefined>;
  serve(options: { port: number; hostname: string; fetch: Fetch }): void;
};

const list = JSON.parse(Bun.env['PROXIES'] ?? '[]') as ServedProxy[];
for (const { port, config } of list) {
  const proxy = createProxy(config);
  Bun.serve({ port, hostname: '127.0.0.1', fetch: (request) => proxy.fetch(request) });
}
