import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Problem } from '../problem.ts';

const lockfileName = 'pnpm-lock.yaml';

/** One third-party package that the lockfile pins. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly resolution: Readonly<Record<string, unknown>>;
}

/** Reads the pinned packages of a repository's pnpm-lock.yaml, lockfile version 9. */
export async function readLockfile(repository: string): Promise<readonly LockedPackage[]> {
  const document: unknown = parse(await readFile(join(repository, lockfileName), 'utf8'));
  if (!isLockfile(document)) throw new Error(`${lockfileName} is not of the form that is known here`);
  return Object.entries(document.packages).map(([id, { resolution }]) => {
    const at = id.lastIndexOf('@');
    return { name: id.slice(0, at), version: id.slice(at + 1), resolution };
  });
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly resolution: Readonly<Record<string, unknown>> }>>;
}

function isLockfile(value: unknown): value is Lockfile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'lockfileVersion' in value &&
    value.lockfileVersion === '9.0' &&
    'packages' in value &&
    typeof value.packages === 'object' &&
    value.packages !== null &&
    Object.values(value.packages).every((entry) => typeof entry?.resolution === 'object')
  );
}

/**
 * Every package must come from the registry and carry the SHA-512 of its tarball. A git address, a folder, a tarball
 * elsewhere or a weaker hash is a problem.
 */
export function lockfileProblems(packages: readonly LockedPackage[]): readonly Problem[] {
  return packages.flatMap(({ name, version, resolution }) => {
    const problem = (message: string) => ({ place: lockfileName, message: `${name}@${version} ${message}` });
    const { integrity, ...source } = resolution;
    const problems: Problem[] = [];
    if (!/^\d+\.\d+\.\d+/.test(version)) problems.push(problem('does not come from the registry'));
    const elsewhere = Object.keys(source);
    if (elsewhere.length > 0) problems.push(problem(`names a source of its own (${elsewhere.join(', ')})`));
    if (typeof integrity !== 'string' || !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)) {
      problems.push(problem('has no SHA-512 integrity'));
    }
    return problems;
  });
}
