import { hash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { diagnoseConsents } from '../src/node/consent-doctor.js';
import { newFile, runToEnd, startProgram } from './support/program.ts';
import { oauthResponse, startUpstream } from './support/servers.ts';
import { settingsOf, tokenSettings } from './support/settings.ts';

it('consent doctor says which token the store has and whether a restart is safe, and shows and requests none', async () => {
  const folder = dirname(newFile('store'));
  const issuer = await startUpstream((_, count) =>
    oauthResponse(`access-${count}`, { expires_in: 3600, refresh_token: `refresh-${count}` }),
  );
  const service = await startUpstream();
  const settings = {
    ...tokenSettings(issuer.url),
    VDS_UPSTREAM_URL: service.url,
    VDS_TOKEN_GRANT: 'refresh-token',
    VDS_REFRESH_TOKEN: 'seed',
    VDS_STORE_DIR: folder,
    VDS_STORE_KEY: 'a-key-of-more-than-thirty-two-characters',
  };
  const doctor = async (more = {}) => {
    const lines: string[] = [];
    const isSafe = await diagnoseConsents(settingsOf({ ...settings, ...more }), (line) => lines.push(line));
    return { isSafe, text: lines.join('') };
  };
  expect(await doctor()).toEqual({
    isSafe: false,
    text: 'brand_a: a restart is NOT safe: the store has no token, and the configured one is used up if it was ever used\n',
  });
  const proxy = await startProgram(settings);
  expect((await proxy.call()).status).toBe(200);
  const good = await runToEnd(settings, ['consent', 'doctor']);
  const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
  const digits = (token: string) => hash('sha256', token, 'hex').slice(0, 8);
  const access = `access token ${digits('access-1')} since ${time} until ${time}`;
  const tokens = `${access}, refresh token ${digits('refresh-1')} until ${time}`;
  expect(good.stdout).toMatch(new RegExp(`^brand_a: ${tokens}; a restart is safe\\n$`));
  expect(good).toMatchObject({ code: 0, stderr: '' });
  const otherKey = await doctor({ VDS_STORE_KEY: 'another-key-of-more-than-32-characters' });
  expect(otherKey).toEqual({ isSafe: false, text: expect.stringContaining('encrypted with another key') });
  const badly = await runToEnd({ ...settings, VDS_STORE_DIR: dirname(newFile('empty')) }, ['consent', 'doctor']);
  expect(badly.code).toBe(1);
  // Its process writes a lost token back.
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await expect.poll(async () => (await doctor()).isSafe).toBe(true);
  expect(issuer.seen).toHaveLength(1);
});
