import { posix } from 'node:path';
import type { Problem } from '../problem.ts';

/** Where a published file may stand. Everything else in a tarball is there by mistake. */
const expected = /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|(dist|src)\/.+)$/;
const unexpected =
  /\.(test|spec|bench)\.|(^|\/)(test|bench|fixtures|node_modules)\/|\.(tsbuildinfo|log|pem|key)$|(^|\/)\./;
const required = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];

interface PackedManifest {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** Every file that a manifest's `exports` or `bin` points to, as it is in the manifest. */
function targets(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(targets);
}

/** The condition objects of `exports`, at any depth. */
function conditionOrders(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Object.keys(value);
  const below = Object.values(value).flatMap(conditionOrders);
  return keys.some((key) => key.startsWith('.')) ? below : [keys, ...below];
}

function manifestProblems(manifest: PackedManifest, files: ReadonlyMap<string, Buffer>): readonly string[] {
  const problems: string[] = [];
  for (const key of ['version', 'description', 'license', 'type', 'sideEffects', 'exports', 'files', 'keywords']) {
    if (manifest[key] === undefined) problems.push(`package.json has no ${key}`);
  }
  if (manifest['type'] !== 'module') problems.push('package.json must say "type": "module"');
  const engines: unknown = manifest['engines'];
  if (JSON.stringify(engines) !== '{"node":">=20.19"}') problems.push('engines.node must be >=20.19');
  if (/"(workspace|catalog|link|file):/.test(JSON.stringify(manifest))) {
    problems.push('package.json holds a version that only this workspace understands');
  }
  for (const target of [...targets(manifest['exports']), ...targets(manifest['bin'])]) {
    if (!files.has(posix.normalize(target))) problems.push(`package.json points to ${target}, which is missing`);
  }
  for (const order of conditionOrders(manifest['exports'])) {
    if (order.includes('types') && order[0] !== 'types') problems.push('in exports, types must come first');
  }
  return problems;
}

/** Source maps must lead to files that are in the tarball, or carry the text themselves. */
function mapProblems(path: string, text: string, files: ReadonlyMap<string, Buffer>): readonly string[] {
  const map: { sources?: string[]; sourcesContent?: (string | null)[]; sourceRoot?: string } = JSON.parse(text);
  return (map.sources ?? []).flatMap((source, index) => {
    if (typeof map.sourcesContent?.[index] === 'string') return [];
    const at = posix.join(posix.dirname(path), map.sourceRoot ?? '', source);
    return files.has(at) ? [] : [`${path} leads to ${at}, which is missing`];
  });
}

/** What is wrong with the contents of a packed package. */
export function tarballProblems(files: ReadonlyMap<string, Buffer>): readonly Problem[] {
  const text = (path: string) => files.get(path)?.toString('utf8') ?? '';
  const manifest = JSON.parse(text('package.json') || '{"name":"?"}') as PackedManifest;
  const problems = required.filter((path) => !files.has(path)).map((path) => `${path} is missing`);
  for (const path of files.keys()) {
    if (!expected.test(path) || unexpected.test(path)) problems.push(`${path} does not belong here`);
    if (path.endsWith('.map')) problems.push(...mapProblems(path, text(path), files));
    const named = /\/\/# sourceMappingURL=(?!data:)(\S+)\s*$/.exec(/\.[cm]?[jt]s$/.test(path) ? text(path) : '')?.[1];
    if (named !== undefined && !files.has(posix.join(posix.dirname(path), named))) {
      problems.push(`${path} names the source map ${named}, which is missing`);
    }
  }
  return [...problems, ...manifestProblems(manifest, files)].map((message) => ({ place: manifest.name, message }));
}
