// Kills an export at random steps, lets the same call resume, and compares the files: node test/kills/run.ts 200
// SEED=… chooses the steps of an earlier run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { openArchive } from '@vehicle-data/archive';
import { randomFrom, withSeed } from '../../../../scripts/seeded-random.ts';
import { dataFiles, keyText } from '../synthetic-source.ts';
import { exportTrips } from './exporting.ts';
import { runKilled } from './killed-program.ts';

const program = fileURLToPath(new URL('exporting.ts', import.meta.url));

/**
 * Kills exports and resumes them.
 *
 * @returns how many windows a run fetched that an earlier run of the same folder had fetched, at most
 * @throws Error where an archive is not the one of an undisturbed run.
 */
export function runKills(kills: number): Promise<{ readonly repeatedAtMost: number }> {
  return withSeed((seed) => killAtStepsOf(randomFrom(seed), kills));
}

async function killAtStepsOf(random: () => number, kills: number): Promise<{ readonly repeatedAtMost: number }> {
  const root = await mkdtemp(join(tmpdir(), 'kills-'));
  try {
    const undisturbed = await newArchive(root);
    const { length } = await linesOfWhole(undisturbed);
    const expected = await dataFiles(undisturbed);
    let [killed, repeatedAtMost] = [0, 0];
    while (killed < kills) {
      const folder = await newArchive(root);
      const seen = new Set<string>();
      for (let isDone = false; !isDone; ) {
        // A resumed run has fewer steps, and may end before the one at which it would be killed.
        const { wasKilled, lines } =
          killed < kills
            ? await runKilled([program, folder], 1 + Math.floor(random() * length))
            : { wasKilled: false, lines: await linesOfWhole(folder) };
        if (wasKilled) killed += 1;
        isDone = !wasKilled;
        const fetched = lines.filter((line) => line.startsWith('fetched'));
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

/** Exports in this process, to the end, and gives what the program would have said. */
async function linesOfWhole(folder: string): Promise<readonly string[]> {
  const lines: string[] = [];
  await exportTrips(folder, (line) => void lines.push(line));
  return lines;
}

if (import.meta.main) {
  const kills = Number(process.argv[2] ?? 200);
  console.log({ kills, ...(await runKills(kills)) });
}
