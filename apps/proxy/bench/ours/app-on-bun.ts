import { createProxy } from '../../dist/index.js';

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch: (request: Request) => Response | Promise<Response> }): void;
};

const proxy = createProxy({ upstreamUrl: process.env['UPSTREAM'] ?? '', validateResponses: 'off' });
Bun.serve({ port: Number(process.env['PORT']), hostname: '127.0.0.1', fetch: (request) => proxy.fetch(request) });
