// The measured rows of docs/performance-client.md. In this folder: npm install && node compare.js
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import ky from 'ky';
import { Octokit } from 'octokit';
import OpenAI from 'openai';
import Stripe from 'stripe';
import { createVehicleDataClient } from '../../dist/index.js';
import { interleaved, print, sizeOf } from '../measure.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const redocly = fileURLToPath(new URL('../../../../openapi/node_modules/.bin/redocly', import.meta.url));
const contract = fileURLToPath(new URL('../../../../openapi/dist/openapi.json', import.meta.url));
const generated = ['generate-client', contract, '-o', `${here}generated/client.ts`, '--import-ext', 'ts'];
execFileSync(redocly, generated, { stdio: 'ignore' });
const { createClient, OPERATIONS } = await import('./generated/client.ts');

const timeoutMs = 800;
const headers = { Brand: 'brand_a' };
const redoclyOf = (serverUrl, fetch, retry) =>
  createClient(OPERATIONS, { serverUrl, fetch, retry, timeout: timeoutMs, argsStyle: 'grouped' });
/** One reading call of each SDK at an address, as its own documentation has it; each function makes its client once. */
const contenders = {
  'this SDK': (baseUrl, fetch, maxRetries = 0) => {
    const options = { baseUrl, brand: 'brand_a', accessToken: 'x', maxRetries, timeoutMs, fetch };
    const client = createVehicleDataClient(options);
    return () => client.listVehicles();
  },
  openai: (baseURL, fetch, maxRetries = 0) => {
    const client = new OpenAI({ apiKey: 'x', baseURL, timeout: timeoutMs, maxRetries, fetch });
    return () => client.models.list();
  },
  stripe: (baseUrl, fetch, maxNetworkRetries = 0) => {
    const { hostname: host, port } = new URL(baseUrl);
    const httpClient = Stripe.createFetchHttpClient(fetch);
    const client = new Stripe('x', { host, port, protocol: 'http', timeout: timeoutMs, maxNetworkRetries, httpClient });
    return () => client.balance.retrieve();
  },
  octokit: (baseUrl, fetch, retries = 0) => {
    const client = new Octokit({ baseUrl, auth: 'x', request: { fetch, retries }, throttle: { enabled: false } });
    return () => client.request('GET /user');
  },
  ky: (baseUrl, fetch, limit = 0) => {
    const client = ky.create({ timeout: timeoutMs, retry: { limit }, ...(fetch && { fetch }) });
    return () => client(`${baseUrl}/v1`).json();
  },
  redocly: (baseUrl, fetch, retries = 0) => {
    const client = redoclyOf(baseUrl, fetch, { retries });
    return () => client.listVehicles({ headers });
  },
};

async function serve(handler) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push({ at: performance.now(), url: request.url });
    handler(response, requests.length);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}
const json = (response, status, body, more) =>
  response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
const good = { data: { vehicles: [] }, meta: { success: 'true' }, object: 'list' };

/** How a call ends within three seconds: 'resolves', the name of its error, or 'hangs'. */
async function outcome(call) {
  const started = performance.now();
  const late = new Promise((resolve) => setTimeout(resolve, 3_000, 'hangs'));
  const end = (text) => `${text} after ${Math.round((performance.now() - started) / 100) / 10} s`;
  return Promise.race([
    call().then(
      () => 'resolves',
      (error) => end(error.constructor.name),
    ),
    late,
  ]);
}

const rows = {
  async 'HTTP 200 with HTML'(contender) {
    const { url } = await serve((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    return (await outcome(contender(url))).replace(/ after.*/, '');
  },
  async 'HTTP 429 with HTML'(contender) {
    const { url } = await serve((response) => response.writeHead(429, { 'content-type': 'text/html' }).end('<html>'));
    return (await outcome(contender(url))).replace(/ after.*/, '');
  },
  async 'body that hangs, deadline 0.8 s'(contender) {
    const { url } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"data"');
    });
    return outcome(contender(url));
  },
  async 'redirect to another host'(contender) {
    const other = await serve((response) => json(response, 200, good));
    const { url } = await serve((response) => response.writeHead(302, { location: `${other.url}/v1` }).end());
    await outcome(contender(url));
    return other.requests.length ? 'followed' : 'not followed';
  },
  async 'a second call within the Retry-After of the first'(contender) {
    const limit = { error: { code: '429', message: 'x' } };
    const { url, requests } = await serve((response, count) =>
      count === 1 ? json(response, 429, limit, { 'retry-after': '1' }) : json(response, 200, good),
    );
    const call = contender(url, undefined, 2);
    const first = outcome(call);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await Promise.all([first, outcome(call)]);
    const [limited, next] = requests;
    return next && next.at - limited.at < 900 ? 'is sent at once' : 'waits';
  },
  async 'your code in error.stack'(contender) {
    const { url } = await serve((response) => json(response, 400, { error: { code: '4002', message: 'x' } }));
    const call = contender(url);
    async function loadDashboard() {
      return await call();
    }
    return loadDashboard().then(
      () => 'no error',
      ({ stack }) => (stack.includes('loadDashboard') ? 'yes' : 'no'),
    );
  },
};

for (const [row, measure] of Object.entries(rows)) {
  for (const [name, contender] of Object.entries(contenders))
    console.log(`${row} | ${name} | ${await measure(contender)}`);
}

const withdrawal = await serve((response) => json(response, 200, good));
await redoclyOf(withdrawal.url)
  .stopDataSharing({ query: { vin: undefined }, headers })
  .catch(() => undefined);
console.log(`withdrawal with vin: undefined | redocly | sends DELETE ${withdrawal.requests[0]?.url ?? 'nothing'}`);

const main = {
  'this SDK': "export * from '../../dist/index.js';",
  'openapi-fetch': "export { default } from 'openapi-fetch';",
  openai: "export { default } from 'openai';",
  stripe: "export { default } from 'stripe';",
  octokit: "export { Octokit } from 'octokit';",
  ky: "export { default } from 'ky';",
  redocly: "export * from './generated/client.ts';",
};
const sizes = Object.entries(main).map(async ([name, entry]) => [name, await sizeOf(entry, { resolveDir: here })]);
print('Size of the main entry, gzipped', 'B', 'openapi-fetch', await Promise.all(sizes));

const body = JSON.stringify(good);
const stubHeaders = { 'content-type': 'application/json', 'content-length': `${body.length}` };
const stub = async () => new Response(body, { headers: stubHeaders });
const bare = async () => (await stub(new Request('http://127.0.0.1:8787/v1', { headers }))).json();
// With two retries, which most have by default. Without octokit, whose queue delays calls on purpose.
const calls = Object.entries(contenders)
  .filter(([name]) => name !== 'octokit')
  .map(([name, contender]) => [name, contender('http://127.0.0.1:8787', stub, 2)]);
const medians = await interleaved({ bare, ...Object.fromEntries(calls) }, 9, 1_000);
print('Processor time of a call over a stub', 'µs', 'bare', medians);
process.exit(0);
