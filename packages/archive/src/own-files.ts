import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ownFiles, recordNames, windowPath } from './format/layout.js';

/**
 * Where a file of a vehicle is before it has its name: at the top of the archive, so that what a crash leaves is found without a
 * look at every folder.
 */
export function stagedPath(folder: string, path: string): string {
  return join(folder, `.staged-${createHash('sha256').update(path).digest('hex').slice(0, 32)}.tmp`);
}

/** Whether a path is that of a file of the archive before it has its name, as a crash leaves it. */
export function isTemporary(path: string): boolean {
  if (/^\.staged-[0-9a-f]{32}\.tmp$/.test(path)) return true;
  // Those of version 1 were beside the file that they became.
  const name = path.replace(/(^|\/)\.([^/]+?)(-[0-9a-f-]{36})?\.tmp$/, '$1$2');
  return name !== path && (ownFiles.has(name) || windowPath.test(name));
}

/** Whether a path is that of what an archive keeps beside the files of a vehicle: its manifest, and its key for backups. */
export const isRecord = (path: string) =>
  new RegExp(`^brand=[\\w-]+/vehicle=[0-9a-f]+/(${recordNames.join('|').replaceAll('.', '\\.')})$`).test(path);
