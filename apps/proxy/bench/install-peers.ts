import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('peers/', import.meta.url));

/** Installs the peers into a folder of their own, from the lockfile beside them, when they are not there yet. */
export function installPeers(cache: string): string {
  const folder = join(cache, 'peers');
  mkdirSync(folder, { recursive: true });
  const lockfile = join(source, 'package-lock.json');
  const copied = join(folder, 'package-lock.json');
  const installed = existsSync(join(folder, 'node_modules')) && existsSync(copied);
  const upToDate = installed && readFileSync(lockfile).equals(readFileSync(copied));
  for (const file of readdirSync(source)) copyFileSync(join(source, file), join(folder, file));
  if (!upToDate) {
    console.error('installing the peers into bench/.cache …');
    // Not `ci`: it rejects a lockfile that does not name the runtimes of other platforms.
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
  }
  return folder;
}
