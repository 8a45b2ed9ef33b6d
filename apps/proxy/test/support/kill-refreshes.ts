import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What was seen while processes were killed. */
export interface KillResult {
  readonly kills: number;
  readonly refreshes: number;
  /** Requests with a refresh token that the endpoint had forgotten: each is a consent lost. */
  readonly lost: number;
  /** Times that the stored file was not whole. */
  readonly torn: number;
  /** Whether a process that came after all of them got a token. */
  readonly recovered: boolean;
}

const refresher = fileURLToPath(new URL('refresher.ts', import.meta.url));

/**
 * A token endpoint with refresh tokens for one use: an old one is forgotten as soon as anything of its successor is used. It
 * responds after a random time.
 */
async function startIssuer() {
  let current = 0;
  let issued = 0;
  const seen = { refreshes: 0, lost: 0 };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/use') {
        const used = Number(/^Bearer a(\d+)$/.exec(request.headers.authorization ?? '')?.[1]);
        if (used > current) current = used;
        response.end();
        return;
      }
      const sent = Number(/^r(\d+)$/.exec(new URLSearchParams(body).get('refresh_token') ?? '')?.[1]);
      if (sent === issued && issued > current) current = issued;
      seen.refreshes++;
      if (sent !== current) {
        seen.lost++;
        response.writeHead(400).end('{"error":"invalid_grant"}');
        return;
      }
      if (issued === current) issued++;
      const tokens = { access_token: `a${issued}`, refresh_token: `r${issued}`, expires_in: 3600 };
      setTimeout(() => response.end(JSON.stringify(tokens)), Math.random() * 4);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, seen, close };
}

/**
 * Kills processes that refresh tokens, three at a time on one folder, each at a random moment.
 */
export async function killRefreshes(kills: number): Promise<KillResult> {
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
      if (text !== null && !isWhole(text)) torn++;
    }
  };
  await Promise.all([killInTurns(), killInTurns(), killInTurns()]);
  const last = spawn(process.execPath, [refresher, folder, issuer.url, 'once'], { stdio: 'ignore' });
  const [code] = await once(last, 'exit');
  issuer.close();
  return { kills: started, ...issuer.seen, torn, recovered: code === 0 };
}

function isWhole(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { refreshToken?: unknown }).refreshToken === 'string';
  } catch {
    return false;
  }
}
