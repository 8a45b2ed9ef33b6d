import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder of this repository. */
export const repositoryFolder = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** The parts of a package.json that a release depends on. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

export interface WorkspacePackage {
  readonly manifest: Manifest;
  readonly folder: string;
  /** Relative to the repository, for messages. */
  readonly path: string;
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Whether somebody can import a package by its name; the docs are files alone. */
export const isImported = ({ exports = {} }: Manifest): boolean => '.' in exports;

/** The packages of the workspace, by name. */
export async function workspacePackages(repository: string): Promise<readonly WorkspacePackage[]> {
  const settings: { packages: string[] } = parse(await readFile(join(repository, 'pnpm-workspace.yaml'), 'utf8'));
  const manifests = settings.packages.map((pattern) => `${pattern}/package.json`);
  const found: WorkspacePackage[] = [];
  for await (const file of glob(manifests, { cwd: repository })) {
    const path = dirname(file);
    const folder = join(repository, path);
    found.push({ manifest: await readManifest(folder), folder, path });
  }
  return found.toSorted((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1));
}

/** Every package that leaves the repository: those of the workspace that are not private. */
export const publishedPackages = async (repository: string): Promise<readonly WorkspacePackage[]> =>
  (await workspacePackages(repository)).filter(({ manifest }) => manifest.private !== true);
