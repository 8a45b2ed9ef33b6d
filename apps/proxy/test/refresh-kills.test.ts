import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from './support/listening.ts';
import { oauthResponse, startUpstream } from './support/servers.ts';
import { tokenSettings } from './support/tokens.ts';

const refresher = fileURLToPath(new URL('support/refresher.ts', import.meta.url));

/**
 * A token endpoint with refresh tokens for one use: an old one is good until its successor, or the access token that came with it,
 * is used. It responds after a random time.
 */
async function startIssuer() {
  const seen = { used: 0, issued: 0, lost: 0 };
  const { url } = await startUpstream((request) => {
    if (request.url === '/use') {
      seen.used = Math.max(seen.used, Number(/^a(\d+)$/.exec(request.token)?.[1] ?? 0));
      return { body: '' };
    }
    const sent = Number(/^r(\d+)$/.exec(new URLSearchParams(request.body).get('refresh_token') ?? '')?.[1]);
    if (sent === seen.issued) seen.used = seen.issued;
    if (sent !== seen.used) {
      seen.lost++;
      return { status: 400, body: '{"error":"invalid_grant"}' };
    }
    if (seen.issued === seen.used) seen.issued++;
    return { ...oauthResponse(`a${seen.issued}`, { refresh_token: `r${seen.issued}` }), delayMs: Math.random() * 4 };
  });
  return { url, seen };
}

it('no refresh token is lost when processes are killed while they refresh', async () => {
  const { url, seen } = await startIssuer();
  const folder = await mkdtemp(join(tmpdir(), 'vds-kills-'));
  const grant = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'r0' };
  const env = { ...tokenSettings(url), ...grant, VDS_STORE_DIR: folder };
  let kills = 0;
  // Three at a time, each at a random moment, and as often as it takes to see many refreshes.
  const killInTurns = async () => {
    while (kills < 12 || (seen.issued <= 12 && kills < 100)) {
      kills++;
      const { process: child, exit } = run([process.execPath, refresher], env);
      // After its first round, so that it is always in the middle of one.
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      child.kill('SIGKILL');
      await exit;
      const name = (await readdir(folder)).find((each) => /^token-brand_a-[0-9a-f]+\.json$/.test(each));
      const text = name === undefined ? null : await readFile(join(folder, name), 'utf8').catch(() => null);
      if (text !== null) expect(text).toMatch(/"refreshToken":"r\d+".*\}\s*$/s);
    }
  };
  await Promise.all([killInTurns(), killInTurns(), killInTurns()]);
  const code = await run([process.execPath, refresher, 'once'], env).exit;
  expect([seen.lost, code]).toEqual([0, 0]);
  expect(seen.issued).toBeGreaterThan(12);
});
