// npm run update: after an edit of the contract or of the proxy's settings, builds everything and renews what repeats them: the names
// of enumeration values in tests and samples, tables and outputs of samples in READMEs and guides, and the format of files.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** Where the contract itself is not: there an old name may stand on purpose. */
const outsideContract = [':!openapi/components', ':!openapi/paths', ':!openapi/*.yaml', ':!*CHANGELOG.md'];
const brandFile = 'openapi/components/schemas/Brand.yaml';
const root = new URL('..', import.meta.url);
/** @type {(command: string, args: readonly string[], env?: Readonly<Record<string, string>>) => void} */
const run = (command, args, env = {}) =>
  execFileSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
/** @type {(...args: readonly string[]) => string} */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

/**
 * The values of the brand, which are placeholders that a deployment may name.
 * @type {(yaml: string) => readonly string[]}
 */
const brandsIn = (yaml) => /^enum: \[(.*)\]$/m.exec(yaml)?.[1]?.split(/,\s*/) ?? [];

/** Replaces the brand names of the last commit by the present ones, everywhere but in the contract. */
function renameBrands() {
  const before = brandsIn(git('show', `HEAD:${brandFile}`));
  const now = brandsIn(readFileSync(new URL(brandFile, root), 'utf8'));
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const [index, name] of before.entries()) if (now[index] && now[index] !== name) names.set(name, now[index]);
  if (before.length !== now.length || names.size === 0) return;
  const pattern = new RegExp(`(?<!\\w)(?:${[...names.keys()].join('|')})(?!\\w)`, 'g');
  for (const file of git('grep', '-lE', [...names.keys()].join('|'), '--', ...outsideContract)
    .trim()
    .split('\n')) {
    const text = readFileSync(new URL(file, root), 'utf8');
    writeFileSync(
      new URL(file, root),
      text.replace(pattern, (name) => names.get(name) ?? name),
    );
  }
  console.log(`renamed ${[...names].map((pair) => pair.join(' to ')).join(', ')}`);
}

renameBrands();
run('turbo', ['run', 'build', '--output-logs=errors-only']);
run('pnpm', ['--filter', '@vehicle-data/proxy', 'run', 'settings-table']);
const docs = [
  '--filter',
  '@vehicle-data/e2e',
  'exec',
  'vitest',
  'run',
  'test/docs-tables.test.ts',
  'test/docs-samples.test.ts',
  'test/docs-recording.test.ts',
];
run('pnpm', docs, { UPDATE_DOCS: '1' });
run('biome', ['check', '--write', '.']);
