// Kills an export at random moments, lets the same call resume, and compares the files: node test/kills/run.ts 200
// SEED=… kills at the moments of an earlier run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { openArchive } from '@vehicle-data/archive';
import { randomFrom, withSeed } from '../../../../scripts/seeded-random.ts';
import { dataFiles, keyText } from '../synthetic-source.ts';

const program = fileURLToPath(new URL('exporting.ts', import.meta.url));

/**
 * Kills exports and resumes them.
 *
 * @returns how many windows a run fetched that an earlier run of the same folder had fetched, at most
 * @throws Error where an archive is not the one of an undisturbed run.
 */
export function runKills(kills: number): Promise<{ readonly repeatedAtMost: number }> {
  return withSeed((seed) => killAtMomentsOf(randomFrom(seed), kills));
}

async function killAtMomentsOf(random: () => number, kills: number): Promise<{ readonly repeatedAtMost: number }> {
  const root = await mkdtemp(join(tmpdir(), 'kills-'));
  try {
    const undisturbed = await newArchive(root);
    const { tookMs } = await runOnce(undisturbed, undefined);
    // Late enough to hit the end of a run as well.
    const longestMs = tookMs * 1.1;
    const expected = await dataFiles(undisturbed);
    let [killed, repeatedAtMost] = [0, 0];
    while (killed < kills) {
      const folder = await newArchive(root);
      const seen = new Set<string>();
      for (let isDone = false; !isDone; ) {
        const killAfterMs = killed < kills ? random() * longestMs : undefined;
        const { wasKilled, fetched } = await runOnce(folder, killAfterMs);
        if (wasKilled) killed += 1;
        isDone = !wasKilled;
        repeatedAtMost = Math.max(repeatedAtMost, fetched.filter((call) => seen.has(call)).length);
        for (const call of fetched) seen.add(call);
        for (const [path, hash] of Object.entries(await dataFiles(folder)))
          if (expected[path] !== hash) throw new Error(`${path} differs after kill ${killed}`);
      }
      await using opened = await openArchive({ folder });
      const { ok } = await opened.verify();
      if (!ok || !isDeepStrictEqual(await dataFiles(folder), expected))
        throw new Error(`other files after kill ${killed}`);
    }
    return { repeatedAtMost };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function newArchive(root: string): Promise<string> {
  const folder = await mkdtemp(join(root, 'archive-'));
  await writeFile(join(folder, 'archive.key'), keyText, { mode: 0o600 });
  return folder;
}

/** Runs the program, to its end or until it is killed, and says which windows it fetched, and how long it ran. */
async function runOnce(folder: string, killAfterMs: number | undefined) {
  const calls = `${folder}.calls`;
  await writeFile(calls, '');
  const child = spawn(process.execPath, [program, folder, calls], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Counted from the first line on: what comes before is Node's own start.
  let startedAt = 0;
  child.stdout.once('data', () => {
    startedAt = performance.now();
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
  const [code, signal] = await once(child, 'close');
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the export failed with ${code}`);
  return {
    tookMs: performance.now() - startedAt,
    wasKilled: signal === 'SIGKILL',
    fetched: (await readFile(calls, 'utf8')).split('\n').filter(Boolean),
  };
}

if (import.meta.main) {
  const kills = Number(process.argv[2] ?? 200);
  console.log({ kills, ...(await runKills(kills)) });
}
