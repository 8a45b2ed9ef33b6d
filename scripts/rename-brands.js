// Replaces the brand names of the last commit by the present ones, everywhere but in the contract.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** Where the contract itself is not: there an old name may stay on purpose. */
const outsideContract = [':!openapi/components', ':!openapi/paths', ':!openapi/*.yaml', ':!*CHANGELOG.md'];
const brandFile = 'openapi/components/schemas/Brand.yaml';
const root = new URL('..', import.meta.url);
/** @type {(...args: readonly string[]) => string} */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

/**
 * The values of the brand, which are placeholders that a deployment may name.
 * @type {(yaml: string) => readonly string[]}
 */
const brandsIn = (yaml) => /^enum: \[(.*)\]$/m.exec(yaml)?.[1]?.split(/,\s*/) ?? [];

const before = brandsIn(git('show', `HEAD:${brandFile}`));
const now = brandsIn(readFileSync(new URL(brandFile, root), 'utf8'));
const changes = before.map((name, index) => /** @type {const} */ ([name, now[index] ?? name]));
const names = new Map(changes.filter(([old, name]) => old !== name));
if (before.length === now.length && names.size > 0) {
  const either = [...names.keys()].join('|');
  const pattern = new RegExp(`(?<!\\w)(?:${either})(?!\\w)`, 'g');
  // The root's package.json is among them in any case: without a file git fails.
  for (const name of git('grep', '-IlE', `${either}|"name": "vehicle-data"`, '--', ...outsideContract)
    .trim()
    .split('\n')) {
    const file = new URL(name, root);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(pattern, (brand) => names.get(brand) ?? brand),
    );
  }
  console.log(`renamed ${[...names].map((pair) => pair.join(' to ')).join(', ')}`);
}
