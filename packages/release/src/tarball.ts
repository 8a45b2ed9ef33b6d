import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../../openapi/build/run.ts';
import { hashOf } from './packed-packages.ts';
import { repositoryFolder, type WorkspacePackage } from './workspace.ts';

/** A package as it is published. */
export type Tarball = Readonly<Awaited<ReturnType<typeof pack>>>;

/** Packs a built package. pnpm replaces `workspace:` and `catalog:` by versions and adds the repository's license. */
export async function pack({ manifest, folder }: WorkspacePackage, destination: string, env = process.env) {
  const { name, version } = manifest;
  await mkdir(destination, { recursive: true });
  const file = join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  await run(join(repositoryFolder, 'node_modules/.bin/pnpm'), ['pack', '--out', file], { cwd: folder, env });
  return { manifest, name, version, file, sha256: await hashOf(file) };
}

/** Unpacks a tarball into a folder of its own, and removes that afterwards. */
export async function withUnpacked<Result>(file: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'tarball-'));
  try {
    await run('tar', ['-xzf', file, '-C', folder], { cwd: folder });
    return await use(join(folder, 'package'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const required = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];
const allowed = /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|(?:dist|src)\/.+|schema\/[\w-]+\.schema\.json)$/;
const forbidden =
  /\.(?:test|spec|bench)\.|(?:^|\/)(?:test|bench|fixtures|node_modules)\/|\.(?:tsbuildinfo|log|pem|key)$|(?:^|\/)\./;

/** What is wrong with an unpacked package, besides what publint and attw find in its manifest and its types. */
export async function packageProblems(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = files.map((file) => file.slice(folder.length + 1));
  const problems = required.filter((name) => !names.includes(name)).map((name) => `${name} is missing`);
  for (const name of names)
    if (!allowed.test(name) || forbidden.test(name)) problems.push(`${name} does not belong here`);
  for (const name of names.filter((name) => name.endsWith('.map'))) {
    const map: { sources?: string[]; sourcesContent?: unknown[] } = JSON.parse(
      await readFile(join(folder, name), 'utf8'),
    );
    for (const [index, source] of (map.sources ?? []).entries())
      if (typeof map.sourcesContent?.[index] !== 'string' && !existsSync(join(folder, dirname(name), source)))
        problems.push(`${name} leads to ${source}, which is missing`);
  }
  const manifest: Readonly<Record<string, unknown>> = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  for (const key of ['description', 'license', 'sideEffects', 'exports', 'files', 'keywords'])
    if (manifest[key] === undefined) problems.push(`package.json has no ${key}`);
  if (JSON.stringify(manifest['engines']) !== '{"node":">=22.12"}') problems.push('engines.node must be >=22.12');
  if (/"(?:workspace|catalog|link|file):/.test(JSON.stringify(manifest)))
    problems.push('package.json holds a version that only this workspace understands');
  return problems.map((problem) => `${manifest['name']}: ${problem}`);
}
