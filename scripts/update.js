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
  const either = [...names.keys()].join('|');
  const pattern = new RegExp(`(?<!\\w)(?:${either})(?!\\w)`, 'g');
  const found = git('grep', '-lE', either, '--', ...outsideContract);
  for (const name of found.trim().split('\n')) {
    const file = new URL(name, root);
    const text = readFileSync(file, 'utf8');
    const renamed = text.replace(pattern, (brand) => names.get(brand) ?? brand);
    writeFileSync(file, renamed);
  }
  console.log(`renamed ${[...names].map((pair) => pair.join(' to ')).join(', ')}`);
}

renameBrands();
run('turbo', ['run', 'build', '--output-logs=errors-only'], { TURBO_TELEMETRY_DISABLED: '1' });
run('pnpm', ['--filter', '@vehicle-data/proxy', 'run', 'settings-table']);
const docs = ['docs-tables', 'docs-samples', 'docs-recording'].map((name) => `test/${name}.test.ts`);
run('pnpm', ['--filter', '@vehicle-data/e2e', 'exec', 'vitest', 'run', ...docs], { UPDATE_DOCS: '1' });
run('biome', ['check', '--write', '.']);
