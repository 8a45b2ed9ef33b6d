// Kills merge, migration, repair, purge and withdrawals at random steps, lets the same call run again, and compares the files with those of
// an undisturbed run: node test/kills/run-steps.ts 200. SEED=… chooses the steps of an earlier run.
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createArchive, openArchive } from '@vehicle-data/archive';
import { verifyReceipt } from '@vehicle-data/archive/receipts';
import { randomFrom, withSeed } from '../../../../scripts/seeded-random.ts';
import { dataFiles, keyText, now, syntheticWindow, vehiclesOf } from '../synthetic-source.ts';
import { runKilled } from './killed-program.ts';
import { allSteps, doStep, type Step } from './steps.ts';

const program = fileURLToPath(new URL('steps.ts', import.meta.url));
const firstVersion = fileURLToPath(new URL('../fixtures/version-1', import.meta.url));

/**
 * Kills each of the steps, in turn.
 *
 * @returns how often each was killed before it had ended
 * @throws Error where an archive is not that of an undisturbed run, or something of a purged vehicle is left.
 */
export function runStepKills(
  kills: number,
  steps: readonly Step[] = allSteps,
  onKill: (killed: Readonly<Record<Step, number>>) => void = () => {},
): Promise<Readonly<Record<Step, number>>> {
  return withSeed((seed) => killAtStepsOf(randomFrom(seed), kills, steps, onKill));
}

async function killAtStepsOf(
  random: () => number,
  kills: number,
  steps: readonly Step[],
  onKill: (killed: Readonly<Record<Step, number>>) => void,
): Promise<Readonly<Record<Step, number>>> {
  const root = await mkdtemp(join(tmpdir(), 'step-kills-'));
  const killed = { merge: 0, migrate: 0, repair: 0, purge: 0, withdraw: 0 };
  try {
    const sources = await makeSources(root);
    const expected = new Map<Step, State>();
    const lengths = new Map<Step, number>();
    for (const step of steps) {
      const folder = join(root, `undisturbed-${step}`);
      await cp(sources[step], folder, { recursive: true });
      let length = 0;
      await doStep(step, folder, () => void length++);
      lengths.set(step, length);
      expected.set(step, await stateOf(folder));
    }
    for (let attempt = 0; Object.values(killed).reduce((sum, count) => sum + count) < kills; attempt += 1) {
      const step = steps[attempt % steps.length] ?? 'merge';
      const folder = join(root, `attempt-${attempt}`);
      await cp(sources[step], folder, { recursive: true });
      const atLine = 1 + Math.floor(random() * (lengths.get(step) ?? 0));
      const { wasKilled } = await runKilled([program, step, folder], atLine);
      if (wasKilled) killed[step] += 1;
      if (wasKilled) onKill(killed);
      if (step === 'purge' || step === 'withdraw') await requireNoEarlyReceipt(folder);
      await doStep(step, folder, () => {});
      const [found, wanted] = [await stateOf(folder), expected.get(step)];
      if (!isDeepStrictEqual(found, wanted)) throw new Error(`${step} differs after kill ${killed[step]}`);
      await rm(folder, { recursive: true });
    }
    return killed;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

interface State {
  readonly files: Readonly<Record<string, string>>;
  readonly ok: boolean;
  /** Vehicles that receipts are about. */
  readonly purged: readonly string[];
}

/** Data files, whether they agree with the manifests, and what was purged. */
async function stateOf(folder: string): Promise<State> {
  await using archive = await openArchive({ folder, now: () => now });
  const { ok } = await archive.verify();
  const keys = await archive.receiptKeys();
  const checks = await Promise.all((await archive.receipts()).map(({ text }) => verifyReceipt(text, keys)));
  if (!checks.every((check) => check.ok)) throw new Error('a receipt does not verify');
  // Nothing of what a receipt is about is left, but for the receipt.
  const purged = checks.flatMap((check) => (check.ok ? [check.receipt.pii_principal_id] : []));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.startsWith(join(folder, 'receipts'))) continue;
    const text = entry.isFile() ? await readFile(path, 'latin1') : '';
    if (purged.some((name) => `${path}${text}`.includes(name)))
      throw new Error('something of a purged vehicle is left');
  }
  return { files: await dataFiles(folder), ok, purged };
}

/** No receipt while a vehicle is being purged. */
async function requireNoEarlyReceipt(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const hasReceipt = names.some((path) => path.startsWith('receipts/') && path.endsWith('.json'));
  const isPurging = names.some((path) => path.startsWith('.purge-'));
  if (hasReceipt && isPurging) throw new Error('a receipt was issued while a vehicle was being purged');
}

/** What each step is done to. */
async function makeSources(root: string): Promise<Readonly<Record<Step, string>>> {
  const whole = join(root, 'whole');
  const archive = await createArchive({ folder: whole, source: 'http://127.0.0.1:8788', now: () => now });
  await archive.close();
  await writeFile(join(whole, 'archive.key'), keyText, { mode: 0o600 });
  await rm(join(whole, 'archive.json'));
  await using made = await createArchive({ folder: whole, source: 'http://127.0.0.1:8788', now: () => now });
  // Each step does with one series what it does with another.
  const request = { series: ['driving'] as const, from: '2026-01-01', to: '2026-01-31', readWindow: syntheticWindow };
  await made.export({ ...request, vehicles: vehiclesOf(1, 2, 3) });
  await made.close();
  const damaged = join(root, 'damaged');
  await cp(whole, damaged, { recursive: true });
  for (const path of await readdir(damaged, { recursive: true }))
    if (path.endsWith('_manifest.ndjson')) await rm(join(damaged, path));
  // Git keeps no mode of a file for its owner alone.
  const old = join(root, 'version-1');
  await cp(firstVersion, old, { recursive: true });
  await chmod(join(old, 'archive.key'), 0o600);
  return { merge: whole, migrate: old, repair: damaged, purge: whole, withdraw: whole };
}

if (import.meta.main) {
  const kills = Number(process.argv[2] ?? 200);
  const killed = await runStepKills(kills, allSteps, (sofar) => process.stderr.write(`${JSON.stringify(sofar)}\n`));
  console.log({ kills, killed });
}
