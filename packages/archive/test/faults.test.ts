import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileLayer } from '../src/file-layer.js';
import type { ReadWindow } from '../src/index.js';
import { type Fault, faultyFiles } from './faulty-files.ts';
import { archiveIn, dataFiles, everyByte, newFolder } from './folders.ts';
import { runKills } from './kills/run.ts';
import { syntheticWindow, vin } from './synthetic-source.ts';

const key = `${'5a'.repeat(32)}\n`;
const request = {
  vehicles: [{ brand: 'brand_a', vin: vin(1) }],
  series: ['driving' as const],
  from: '2026-01-01',
  to: '2026-01-24',
  concurrency: 2,
};

async function folderWithKey(): Promise<string> {
  const folder = await newFolder();
  await writeFile(join(folder, 'archive.key'), key, { mode: 0o600 });
  return folder;
}

/** An export, as a program does it: opened, exported, closed. Gives how many windows were asked for. */
async function exportInto(folder: string, files?: FileLayer): Promise<number> {
  let calls = 0;
  const readWindow: ReadWindow = async (window) => {
    calls += 1;
    return syntheticWindow(window);
  };
  const archive = await archiveIn(folder, { files });
  try {
    await archive.export({ ...request, readWindow });
  } finally {
    await archive.close();
  }
  return calls;
}

test.each<Fault>(['crash', 'ENOSPC'])(
  'after a %s at any step of the file layer the same call resumes to identical files',
  async (fault) => {
    const undisturbed = await folderWithKey();
    const counted = faultyFiles(0, fault);
    const windows = await exportInto(undisturbed, counted.files);
    const expected = await dataFiles(undisturbed);
    expect(Object.keys(expected)).toHaveLength(windows);
    const steps = counted.steps();
    expect(steps).toBeGreaterThan(30);
    for (let at = 1; at <= steps; at += 1) {
      const folder = await folderWithKey();
      await expect(exportInto(folder, faultyFiles(at, fault).files), `step ${at}`).rejects.toThrow();
      // Readable at any moment: what carries the name of a data file is whole.
      for (const [path, hash] of Object.entries(await dataFiles(folder)))
        expect(hash, `step ${at}`).toBe(expected[path]);
      const done = Object.keys(await dataFiles(folder)).length;
      expect(await exportInto(folder), `step ${at}`).toBeLessThanOrEqual(windows - done + request.concurrency);
      expect(await dataFiles(folder), `step ${at}`).toEqual(expected);
      await using archive = await archiveIn(folder);
      expect(await archive.verify(), `step ${at}`).toMatchObject({ ok: true, problems: [] });
    }
  },
);

test('a purge that crashes at any step is finished by the next program that opens the archive', async () => {
  for (let at = 1, isDone = false; !isDone; at += 1) {
    const folder = await folderWithKey();
    await exportInto(folder);
    const { files, steps } = faultyFiles(at, 'crash');
    const gone = await (async () => {
      const archive = await archiveIn(folder, { files });
      try {
        await archive.purge({ vin: vin(1) });
      } finally {
        await archive.close();
      }
    })().then(
      () => true,
      () => false,
    );
    isDone = gone && steps() < at;
    await using archive = await archiveIn(folder);
    const left = Object.keys(await dataFiles(folder)).length;
    // Before the intent is written nothing happens; after it, nothing is left.
    expect([0, 3], `step ${at}`).toContain(left);
    if (left === 0) expect(await everyByte(folder)).not.toContain(archive.pseudonymOf(vin(1)));
    expect(await archive.verify(), `step ${at}`).toMatchObject({ ok: true });
    expect(at).toBeLessThan(200);
  }
});

test('an export that is killed again and again ends with the files of an undisturbed one', async () => {
  const { kills, repeatedAtMost } = await runKills({ kills: 3, seed: 25 });
  expect(kills).toBe(3);
  expect(repeatedAtMost).toBeLessThanOrEqual(2);
});
