import http from 'node:http';
import { createProxyServer } from 'http-proxy-3';
import { agent } from './agent.mjs';

const proxy = createProxyServer({ target: process.env.UPSTREAM, agent });
proxy.on('error', (_error, _incoming, outgoing) => outgoing.destroy?.());
http.createServer((incoming, outgoing) => proxy.web(incoming, outgoing)).listen(Number(process.env.PORT), '127.0.0.1');
