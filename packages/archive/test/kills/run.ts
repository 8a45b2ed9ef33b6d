// Kills an export at random moments, lets the same call resume, and compares the files: node test/kills/run.ts 200 [SEED]
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { openArchive } from '@vehicle-data/archive';
import { dataFiles } from './data-files.ts';

const program = fileURLToPath(new URL('exporting.ts', import.meta.url));

/** What the kills showed. */
export interface KillReport {
  readonly kills: number;
  readonly completed: number;
  /** How many windows a run fetched that an earlier run of the same folder had fetched, at most. */
  readonly repeatedAtMost: number;
}

/** @throws Error where an archive is not the one of an undisturbed run. */
export async function runKills({
  kills,
  seed,
}: {
  readonly kills: number;
  readonly seed: number;
}): Promise<KillReport> {
  const root = await mkdtemp(join(tmpdir(), 'kills-'));
  const random = randomOf(seed);
  try {
    const undisturbed = await newArchive(root, 'undisturbed');
    const startedAt = performance.now();
    await runOnce(undisturbed.folder, undisturbed.calls, undefined);
    // Late enough to hit the end of a run as well.
    const longestMs = (performance.now() - startedAt) * 1.1;
    const expected = await dataFiles(undisturbed.folder);
    let [killed, completed, repeatedAtMost] = [0, 0, 0];
    for (let archive = 0; killed < kills; archive += 1) {
      const { folder, calls } = await newArchive(root, `${archive}`);
      const seen = new Set<string>();
      for (let isDone = false; !isDone; ) {
        const wasKilled = await runOnce(folder, calls, killed < kills ? random() * longestMs : undefined);
        if (wasKilled) killed += 1;
        else isDone = true;
        const fetched = (await readFile(calls, 'utf8').catch(() => '')).split('\n').filter(Boolean);
        await rm(calls, { force: true });
        repeatedAtMost = Math.max(repeatedAtMost, fetched.filter((call) => seen.has(call)).length);
        for (const call of fetched) seen.add(call);
        for (const [path, hash] of Object.entries(await dataFiles(folder))) {
          if (expected[path] !== hash) throw new Error(`${path} differs after kill ${killed} (seed ${seed})`);
        }
      }
      completed += 1;
      if (!isDeepStrictEqual(await dataFiles(folder), expected))
        throw new Error(`other files after kill ${killed} (seed ${seed})`);
      await using opened = await openArchive({ folder });
      const { ok, problems } = await opened.verify();
      if (!ok) throw new Error(`after kill ${killed} (seed ${seed}): ${problems[0]?.code}`);
    }
    return { kills: killed, completed, repeatedAtMost };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function newArchive(root: string, name: string): Promise<{ readonly folder: string; readonly calls: string }> {
  const folder = await mkdtemp(join(root, `${name}-`));
  await writeFile(join(folder, 'archive.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 });
  return { folder, calls: `${folder}.calls` };
}

/** Runs the program; `true` where it was killed before its end. */
function runOnce(folder: string, calls: string, killAfterMs: number | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, folder, calls], { stdio: ['ignore', 'pipe', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (text) => (complaint += text));
    // Counted from the first line on: what comes before is Node's own start.
    child.stdout.once('data', () => {
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(`the export failed: ${complaint}`));
    });
  });
}

/** A small generator of random numbers from 0 to 1, so that a run can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const [kills = '200', seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
  console.log({ seed: Number(seed), ...(await runKills({ kills: Number(kills), seed: Number(seed) })) });
}
