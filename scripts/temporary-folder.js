// Where tests put their temporary files: in memory where the system has room for them there. Many tests write archives, logs and stores
// that wait for the disk after each step; what they prove is what a killed process leaves, and memory keeps that as a disk does.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';

const memory = '/dev/shm';
const enoughBytes = 2_000_000_000;

/**
 * The variable TMPDIR for tests, with a folder that goes when this process ends. Nothing, so that the system's own folder is used, where
 * TMPDIR is set already, memory has no room, or programs cannot be started from there.
 *
 * @returns {{ TMPDIR?: string }}
 */
export function temporaryFolder() {
  if (process.env['TMPDIR']) return {};
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < enoughBytes) return {};
    const folder = mkdtempSync(`${memory}/vehicle-data-`);
    // PostgreSQL runs as another user, in a folder of its own below.
    chmodSync(folder, 0o755);
    process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const program = `${folder}/program`;
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program).status === 0 ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}
