// Tokens that a command prints, and what it costs where it fails: a clear error that holds no token.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { firstVin, startWorld, upstreamOf } from './support/vds.ts';

const world = await startWorld();
const noToken = { VDS_ACCESS_TOKEN: '' };

it('a token that expires during an export is replaced by the command, once, and the export goes to its end', async () => {
  const calls = join(world.folder, 'calls');
  // The first token is rejected, as one that has expired.
  const script = `#!/bin/sh\necho "$VDS_TOKEN_REFRESH" >> '${calls}'\nif [ "$VDS_TOKEN_REFRESH" = 1 ]; then echo '{"access_token":"demo-access-token","expires_in":3600}'; else echo expired; fi\n`;
  const command = join(world.folder, 'token');
  await writeFile(command, script, { mode: 0o755 });
  const env = { ...noToken, VDS_TOKEN_COMMAND: command };
  const line = `export --vehicle ${firstVin} --from 2026-01-01 --to 2026-01-16 --format ndjson --out ${world.folder}/renewed --concurrency 4`;
  expect(await world.vds(line, { env })).toMatchObject({ code: 0 });
  expect((await readFile(calls, 'utf8')).trim().split('\n')).toEqual(['0', '1']);
});

it.each([
  { story: 'it ends with an error', command: 'echo secret-token; exit 3', message: 'ended with code 3' },
  {
    story: 'it prints JSON without a token',
    command: `echo '{"token":"secret-token"}'`,
    message: 'without a text "access_token"',
  },
  { story: 'it prints what is no token', command: 'echo secret-token and more', message: 'must be an access token' },
])(
  'a token command without a token is a usage error that does not repeat what it printed: $story',
  async ({ command, message }) => {
    const env = { ...noToken, VDS_TOKEN_COMMAND: command };
    const run = await world.vds('vehicles list', { env });
    expect(run).toMatchObject({ code: 4, error: { message: expect.stringContaining(message) } });
    expect(run.stderr).not.toContain('secret-token');
  },
);

it('a login says what is used instead of it', async () => {
  const run = await world.vds('auth login --store file', { input: 'another-token' });
  expect(run).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('VDS_ACCESS_TOKEN is set and is used instead'),
  });
  expect(run.stderr).not.toContain('another-token');
});

it('where nothing listens, the error names the address and how to start the sandbox', async () => {
  const { server, url } = await upstreamOf();
  server.close();
  const { code, error } = await world.vds(`--base-url ${url} location ${firstVin}`);
  expect([code, error.hint]).toEqual([1, expect.stringContaining(`Nothing responds at ${url}`)]);
  expect(error.hint).toContain('vds sandbox');
  expect(error.docsUrl).toBeUndefined();
});

it('an export with --max-rate starts its requests apart from each other', async () => {
  const startedMs = performance.now();
  const line = `export --vehicle ${firstVin} --from 2026-01-01 --to 2026-01-31 --series driving --format ndjson --out ${world.folder}/slow`;
  const { code, json } = await world.vds(`${line} --concurrency 8 --max-rate 20`);
  expect(code).toBe(0);
  // The first starts at once. A wait is never shorter than it should be, so this bound holds on any machine.
  const leastMs = (json[0].windowsFetched - 1) * (1000 / 20);
  expect(json[0].windowsFetched).toBeGreaterThan(2);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(leastMs - 20);
});
