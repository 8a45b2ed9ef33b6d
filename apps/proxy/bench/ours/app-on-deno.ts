import process from 'node:process';
import { createProxy } from '../../dist/index.js';

declare const Deno: {
  serve(options: { port: number; hostname: string }, fetch: (request: Request) => Response | Promise<Response>): void;
};

const proxy = createProxy({ upstreamUrl: process.env['UPSTREAM'] ?? '', validateResponses: 'off' });
Deno.serve({ port: Number(process.env['PORT']), hostname: '127.0.0.1' }, (request) => proxy.fetch(request));
