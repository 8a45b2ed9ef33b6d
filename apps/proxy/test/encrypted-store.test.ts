import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { storeOptionsFrom } from '../src/config/program-options.js';
import { openStore } from '../src/node/open-store.js';
import { newFile, startProgram } from './support/program.ts';
import { oauthResponse, startUpstream } from './support/servers.ts';
import { mistakesOf, settingsOf, tokenSettings } from './support/settings.ts';

const [first, second] = ['first-key-of-thirty-two-characters', 'second-key-of-thirty-two-characters'];

async function startTokens() {
  const folder = dirname(newFile('store'));
  const sent: unknown[] = [];
  const issuer = await startUpstream(({ body }, count) => {
    sent.push(new URLSearchParams(body).get('refresh_token'));
    return oauthResponse(`access-${count}`, { expires_in: 3600, refresh_token: `refresh-${count}` });
  });
  const service = await startUpstream();
  const { VDS_UPSTREAM_URL: _, ...settings } = tokenSettings(issuer.url);
  const start = (keys: Readonly<Record<string, string>>) =>
    startProgram({
      ...settings,
      VDS_UPSTREAM_URL: service.url,
      VDS_TOKEN_GRANT: 'refresh-token',
      VDS_REFRESH_TOKEN: 'seed',
      VDS_STORE_DIR: folder,
      ...keys,
    });
  const kept = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  return { folder, sent, service, start, kept };
}

it('tokens in the store can be read with the key alone, and without it no refresh token is used twice', async () => {
  const { sent, service, start, kept } = await startTokens();
  const one = await start({ VDS_STORE_KEY: first });
  expect((await one.call()).status).toBe(200);
  expect(kept()).toEqual([expect.stringMatching(/^enc1\.[0-9a-f]{16}\.[0-9A-Za-z+/]+=*$/)]);
  await one.stop();
  for (const keys of [{}, { VDS_STORE_KEY: second }]) {
    const without = await start(keys);
    expect(await without.call()).toMatchObject({ status: 503, code: 'upstream-credentials-unavailable' });
    await without.stop();
  }
  const again = await start({ VDS_STORE_KEY: second, VDS_STORE_KEY_READ: first });
  expect((await again.call()).status).toBe(200);
  expect(sent).toEqual(['seed']);
  expect(service.tokens()).toEqual(['access-1', 'access-1']);
});

it('what was kept in the clear or with the key before is read, and encrypted with the new key when it is written', async () => {
  const folder = dirname(newFile('store'));
  const open = async (keys: Readonly<Record<string, string>>) => {
    const more = {
      VDS_STORE: 'file',
      VDS_STORE_DIR: folder,
      VDS_UPSTREAM_URL: 'https://vehicle-data.invalid',
      ...keys,
    };
    return (await openStore(storeOptionsFrom(settingsOf(more).values))).store;
  };
  const stored = () => readFileSync(join(folder, 'one.json'), 'utf8');
  const plain = await open({});
  await plain.write('one', 'text');
  expect(stored()).toBe('text');
  const encrypted = await open({ VDS_STORE_KEY: first });
  expect(await encrypted.read('one')).toBe('text');
  await encrypted.write('one', 'tëxt');
  expect(stored()).toMatch(/^enc1\./);
  await expect(plain.read('one')).rejects.toThrow('VDS_STORE_KEY');
  expect(await (await open({ VDS_STORE_KEY_READ: first })).read('one')).toBe('tëxt');
  const rotated = await open({ VDS_STORE_KEY: second, VDS_STORE_KEY_READ: first });
  expect(await rotated.read('one')).toBe('tëxt');
  await rotated.write('one', 'newer');
  await expect(encrypted.read('one')).rejects.toThrow('VDS_STORE_KEY');
  expect(await rotated.read('nothing')).toBeNull();
  // What was moved to another name, or damaged, is as if it were not there.
  writeFileSync(join(folder, 'other.json'), stored());
  expect(await rotated.read('other')).toBeNull();
  writeFileSync(join(folder, 'one.json'), `${stored().slice(0, -8)}AAAAAAAA`);
  expect(await rotated.read('one')).toBeNull();
});

it('a key for the store that nothing would use is a mistake, and so is a short one', () => {
  const upstream = { VDS_UPSTREAM_URL: 'https://vehicle-data.invalid' };
  expect(mistakesOf({ ...upstream, VDS_STORE_KEY: first })).toEqual([
    'VDS_STORE_KEY: is set, but VDS_STORE is memory and would never use it',
  ]);
  expect(mistakesOf({ ...upstream, VDS_STORE: 'file', VDS_STORE_DIR: '/s', VDS_STORE_KEY: 'short' })).toEqual([
    'VDS_STORE_KEY: must have at least 32 characters',
  ]);
  const same = { VDS_STORE: 'file', VDS_STORE_DIR: '/s', VDS_STORE_KEY: first, VDS_STORE_KEY_READ: first };
  expect(mistakesOf({ ...upstream, ...same })).toEqual(['VDS_STORE_KEY_READ: must be another key than VDS_STORE_KEY']);
});
