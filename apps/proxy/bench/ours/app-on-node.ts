import { serve } from '@hono/node-server';
import { createProxy } from '../../dist/index.js';

const proxy = createProxy({ upstreamUrl: process.env['UPSTREAM'] ?? '', validateResponses: 'off' });
serve({ fetch: proxy.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' });
