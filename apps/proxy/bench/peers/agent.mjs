import http from 'node:http';
import https from 'node:https';

const { Agent } = process.env.UPSTREAM.startsWith('https:') ? https : http;

/** Keeps connections to the upstream, which these proxies do not do by themselves. */
export const agent = new Agent({ keepAlive: true, maxSockets: 256 });
