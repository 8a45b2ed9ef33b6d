import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { randomFrom, withSeed } from '../../../scripts/seeded-random.ts';
import { run } from './support/listening.ts';
import { bundled } from './support/program.ts';
import { startRotatingIssuer } from './support/servers.ts';
import { tokenSettings } from './support/settings.ts';

const refresher = join(dirname(bundled), 'refresher.js');
/** How many are killed at least: more in the weekly workflow. */
const least = Number(process.env['VDS_MODEL_RUNS'] ?? 6);

it('no refresh token is lost when processes are killed while they refresh', async () => {
  const { url, seen } = await startRotatingIssuer();
  const folder = await mkdtemp(join(tmpdir(), 'vds-kills-'));
  const grant = { VDS_TOKEN_GRANT: 'refresh-token', VDS_REFRESH_TOKEN: 'r0' };
  const env = { ...tokenSettings(url), ...grant, VDS_STORE_DIR: folder };
  let kills = 0;
  // Three at a time, each at a random moment, and as often as it takes to see twice as many refreshes.
  const killInTurns = async (random: () => number) => {
    while (kills < least || (seen.issued <= 2 * least && kills < 100 + least)) {
      kills++;
      const { process: child, exit } = run([process.execPath, refresher], env);
      // After its first round, so that it is always in the middle of one.
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, random() * 100));
      child.kill('SIGKILL');
      await exit;
      const name = (await readdir(folder)).find((each) => /^token-brand_a-[0-9a-f]+\.json$/.test(each));
      const text = name === undefined ? null : await readFile(join(folder, name), 'utf8').catch(() => null);
      if (text !== null) expect(text).toMatch(/"refreshToken":"r\d+".*\}\s*$/s);
    }
  };
  await withSeed(async (seed) => {
    await Promise.all([1, 2, 3].map((turn) => killInTurns(randomFrom(seed + turn))));
    const code = await run([process.execPath, refresher, 'once'], env).exit;
    expect([seen.lost, code]).toEqual([0, 0]);
    expect(seen.issued).toBeGreaterThan(2 * least);
  });
});
