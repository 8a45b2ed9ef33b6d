// `vds-proxy check --drill`: what it breaks in a scratch copy, and that it finds promises that do not hold.
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runDrills } from '../src/node/drill/drills.js';
import type { ScratchOptions } from '../src/node/drill/scratch.js';
import { canLimitFiles } from './support/audited-proxy.ts';
import { bundled, program as installed, newFile, runToEnd } from './support/program.ts';
import { startUpstream } from './support/servers.ts';
import { settingsOf } from './support/settings.ts';

const drill = (environment: Record<string, string>, program?: string) =>
  runToEnd(environment, ['check', '--drill'], program);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(':')[0] ?? '');

const tokens = (url: string) => ({
  VDS_UPSTREAM_AUTH: 'token-endpoint',
  VDS_TOKEN_URL: url,
  VDS_TOKEN_GRANT: 'refresh-token',
  VDS_REFRESH_TOKEN: 'token-zebra',
  VDS_CLIENT_ID: 'client-zebra',
  VDS_BRANDS: 'brand_a',
});

const audit = (required: string) => ({
  VDS_AUDIT_FILE: newFile('audit.ndjson'),
  VDS_AUDIT_REQUIRED: required,
  VDS_VIN_HASH_KEY: 'k'.repeat(32),
});

it.skipIf(!canLimitFiles)('all promises hold, and neither upstream nor issuer of the operator is called', async () => {
  const outside = await startUpstream();
  const { code, stdout, stderr } = await drill({
    VDS_UPSTREAM_URL: outside.url,
    ...tokens(outside.url),
    VDS_STORE: 'redis',
    VDS_REDIS_URL: 'redis://127.0.0.1:9/0',
    ...audit('off'),
  });
  expect([stderr, linesOf(stdout)]).toEqual(['', Array(4).fill('held')]);
  expect(code).toBe(0);
  expect(outside.seen).toEqual([]);
  expect(stdout).not.toMatch(/zebra/);
});

it.skipIf(!canLimitFiles)(
  'all promises hold with VDS_AUDIT_REQUIRED; without a refresh token, its one is not tried',
  async () => {
    const outside = await startUpstream();
    const { code, stdout } = await drill({ VDS_UPSTREAM_URL: outside.url, ...audit('on') }, installed);
    expect([code, linesOf(stdout)]).toEqual([0, ['held', 'held', 'held', 'not tried']]);
    expect(stdout).toContain('no refresh token is used');
    expect(outside.seen).toEqual([]);
  },
);

/** A program that notes nothing, sends a withdrawal twice, and knows its first refresh token alone. */
const careless = `
import { createServer } from 'node:http';
const { VDS_UPSTREAM_URL: upstream, VDS_TOKEN_URL: issuer, VDS_REFRESH_TOKEN: refresh_token } = process.env;
if (issuer) await fetch(issuer, { method: 'POST', body: new URLSearchParams({ refresh_token }) });
const server = createServer(async ({ method, url }, response) => {
  if (!url.startsWith('/v1/')) return response.writeHead(404).end('{}');
  if (method === 'DELETE') void fetch(upstream + url, { method }).catch(() => {});
  await fetch(upstream + url, { method }).catch(() => {});
  response.writeHead(200).end('{}');
});
server.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port));
process.on('SIGTERM', () => process.exit(0));
`;

function carelessProgram(): string {
  const program = newFile('careless.mjs');
  writeFileSync(program, careless);
  return program;
}

/** Runs the drills in this process, with another program. */
async function drillHere(environment: Record<string, string>, options: ScratchOptions) {
  let text = '';
  const write = (line: string) => {
    text += line;
  };
  const isHeld = await runDrills(settingsOf(environment), write, options);
  return { isHeld, text };
}

it.skipIf(!canLimitFiles)('a program that keeps none of the promises is found', async () => {
  const environment = {
    VDS_UPSTREAM_URL: 'http://127.0.0.1:9',
    ...tokens('http://127.0.0.1:9'),
    VDS_STORE: 'redis',
    VDS_REDIS_URL: 'redis://127.0.0.1:9/0',
    VDS_AUDIT_FILE: newFile('audit.ndjson'),
    VDS_VIN_HASH_KEY: 'k'.repeat(32),
  };
  const { isHeld, text } = await drillHere(environment, { program: carelessProgram(), patienceMs: 4000 });
  expect(isHeld).toBe(false);
  // It has no log that could stall.
  expect(linesOf(text).slice(1)).toEqual(Array(3).fill('NOT HELD'));
});

it('what is not set up is not tried, and says why', async () => {
  const { isHeld, text } = await drillHere({ VDS_UPSTREAM_URL: 'http://127.0.0.1:9' }, { program: bundled });
  expect(isHeld).toBe(true);
  expect(linesOf(text)).toEqual(['held', 'not tried', 'not tried', 'not tried']);
  expect(text.match(/VDS_AUDIT_FILE is not set/g)).toHaveLength(2);
  expect(text).toContain('no refresh token is used');
});
