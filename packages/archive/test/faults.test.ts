import { expect, test } from 'vitest';
import { disk } from '../src/file-layer.js';
import type { FileLayer, ReadWindow } from '../src/index.js';
import { archiveIn, everyByte, newFolder } from './folders.ts';
import { runKills } from './kills/run.ts';
import { dataFiles, syntheticWindow, vin } from './synthetic-source.ts';

const request = {
  vehicles: [{ brand: 'brand_a', vin: vin(1) }],
  series: ['driving' as const],
  from: '2026-01-01',
  to: '2026-01-24',
  concurrency: 2,
};

/** The disk, with a fault at one step. After a crash every further step fails, and what was being written is cut. */
function faultyFiles(
  at: number,
  fault: 'crash' | 'ENOSPC',
): { readonly files: FileLayer; readonly steps: () => number } {
  let step = 0;
  let isDown = false;
  const files = new Proxy(disk, {
    get: (target, name) => {
      const run = Reflect.get(target, name);
      return async (path: string, content: Uint8Array | string, ...more: readonly unknown[]) => {
        if (isDown) throw new Error('the process is gone');
        step += 1;
        if (step !== at) return run(path, content, ...more);
        isDown = fault === 'crash';
        if (name === 'write' || name === 'append') await run(path, content.slice(0, content.length >> 1));
        throw Object.assign(new Error(fault), { code: fault, syscall: 'write' });
      };
    },
  });
  return { files, steps: () => step };
}

/** An export, as a program does it: opened, exported, closed. Gives how many windows were asked for. */
async function exportInto(folder: string, files?: FileLayer): Promise<number> {
  let calls = 0;
  const readWindow: ReadWindow = async (window) => {
    calls += 1;
    return syntheticWindow(window);
  };
  await using archive = await archiveIn(folder, { files });
  await archive.export({ ...request, readWindow });
  return calls;
}

test.each(['crash', 'ENOSPC'] as const)(
  'after a %s at any step of the file layer the same call resumes to identical files',
  async (fault) => {
    const undisturbed = await newFolder();
    const counted = faultyFiles(0, fault);
    const windows = await exportInto(undisturbed, counted.files);
    const expected = await dataFiles(undisturbed);
    expect(Object.keys(expected)).toHaveLength(windows);
    const steps = counted.steps();
    expect(steps).toBeGreaterThan(30);
    for (let at = 1; at <= steps; at += 1) {
      const folder = await newFolder();
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
    const folder = await newFolder();
    await exportInto(folder);
    const { files, steps } = faultyFiles(at, 'crash');
    const purge = async () => {
      await using archive = await archiveIn(folder, { files });
      await archive.purge({ vin: vin(1) });
    };
    await purge().catch(() => undefined);
    isDone = steps() < at;
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
  expect((await runKills(3, 25)).repeatedAtMost).toBeLessThanOrEqual(2);
});
