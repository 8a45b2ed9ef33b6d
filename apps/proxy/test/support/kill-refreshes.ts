import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oauthResponse, startTokenEndpoint } from './token-endpoint.ts';

const refresher = fileURLToPath(new URL('refresher.ts', import.meta.url));

/**
 * A token endpoint with refresh tokens for one use: an old one is forgotten as soon as anything of its successor is used. It
 * responds after a random time.
 */
async function startIssuer() {
  let current = 0;
  let issued = 0;
  let lost = 0;
  const issuer = await startTokenEndpoint(({ path, headers, body }) => {
    if (path === '/use') {
      current = Math.max(current, Number(/^Bearer a(\d+)$/.exec(String(headers['authorization']))?.[1] ?? 0));
      return { body: '' };
    }
    const sent = Number(/^r(\d+)$/.exec(new URLSearchParams(body).get('refresh_token') ?? '')?.[1]);
    if (sent === issued && issued > current) current = issued;
    if (sent !== current) {
      lost++;
      return { status: 400, body: '{"error":"invalid_grant"}' };
    }
    if (issued === current) issued++;
    return { ...oauthResponse(`a${issued}`, { refresh_token: `r${issued}` }), delayMs: Math.random() * 4 };
  });
  return { ...issuer, lost: () => lost };
}

/**
 * Kills processes that refresh tokens, three at a time on one folder, each at a random moment. Gives the number of refreshes, of
 * consents lost (a refresh token was sent that the endpoint had forgotten), of times that the stored file was not whole, and
 * whether a process that came after all of them got a token.
 */
export async function killRefreshes(kills: number) {
  const issuer = await startIssuer();
  const folder = await mkdtemp(join(tmpdir(), 'vds-kills-'));
  let started = 0;
  let torn = 0;
  const killInTurns = async () => {
    while (started < kills) {
      started++;
      const child = spawn(process.execPath, [refresher, folder, issuer.url], { stdio: ['ignore', 'pipe', 'inherit'] });
      // Killed at any moment after its first round, so that it is always in the middle of one.
      await once(child.stdout, 'data');
      child.stdout.resume();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const name = (await readdir(folder)).find((each) => /^token-brand_a-[0-9a-f]+\.json$/.test(each));
      const text = name === undefined ? null : await readFile(join(folder, name), 'utf8').catch(() => null);
      if (text !== null && !/"refreshToken":"r\d+".*\}\s*$/s.test(text)) torn++;
    }
  };
  await Promise.all([killInTurns(), killInTurns(), killInTurns()]);
  const last = spawn(process.execPath, [refresher, folder, issuer.url, 'once'], { stdio: 'ignore' });
  const [code] = await once(last, 'exit');
  await issuer.close();
  const refreshes = issuer.requests.filter(({ path }) => path === '/token').length;
  return { refreshes, lost: issuer.lost(), torn, recovered: code === 0 };
}
