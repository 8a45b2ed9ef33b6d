// Replaces the brand names of the last commit by the present ones, everywhere but in the contract.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';

/** Where the contract itself is not: there an old name may stay on purpose. */
const contract = [':!openapi/components', ':!openapi/paths', ':!openapi/*.yaml'];
/** What was written by an earlier version stays as it was written. */
const history = [':!*CHANGELOG.md', ':!*/test/fixtures/version-*/**'];
const outsideContract = [...contract, ...history];
const brandFile = 'openapi/components/schemas/Brand.yaml';
const root = new URL('../..', import.meta.url);
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

function fail(problem: string): never {
  console.error(`${brandFile}: ${problem}`);
  process.exit(1);
}

/** The values of the brand, which are placeholders that a deployment may name; none if they are no list. */
function brandsIn(yaml: string): readonly string[] {
  const document = parseDocument(yaml);
  const names: unknown = document.errors.length > 0 ? null : document.toJS()?.enum;
  return Array.isArray(names) ? names.map(String) : [];
}

const before = brandsIn(git('show', `HEAD:${brandFile}`));
const now = brandsIn(readFileSync(new URL(brandFile, root), 'utf8'));
if (now.length === 0) fail('enum is no list of names');
const gone = before.filter((name) => !now.includes(name));
const added = now.filter((name) => !before.includes(name));
// A name that is only added, removed or moved replaces none.
if (gone.length > 0 && added.length > 0) {
  if (gone.length !== added.length)
    fail(`rename, commit, then add or remove brands; gone names: ${gone.join(', ')}; new: ${added.join(', ')}`);
  const names = new Map(gone.map((name, index) => [name, added[index] ?? name]));
  const either = gone.join('|');
  const pattern = new RegExp(`(?<!\\w)(?:${either})(?!\\w)`, 'g');
  let isRenamed = false;
  // The root's package.json is among them in any case: without a file git fails.
  for (const name of git('grep', '-IlE', `${either}|"name": "vehicle-data"`, '--', ...outsideContract)
    .trim()
    .split('\n')) {
    const file = new URL(name, root);
    const text = readFileSync(file, 'utf8');
    const renamed = text.replace(pattern, (brand) => names.get(brand) ?? brand);
    if (renamed === text) continue;
    writeFileSync(file, renamed);
    isRenamed = true;
  }
  if (isRenamed) console.log(`renamed ${[...names].map((pair) => pair.join(' to ')).join(', ')}`);
}
