// Replaces the brand names of the last commit by the present ones, everywhere but in the contract and its overlay.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { applyOverlay, readOverlay } from './overlay.ts';
import { ContractError } from './place.ts';

/** Where the contract itself is not: there an old name may stay on purpose. */
const contract = [':!openapi/components', ':!openapi/paths', ':!openapi/*.yaml'];
/** What was written by an earlier version stays as it was written. */
const history = [':!*CHANGELOG.md', ':!*/test/fixtures/version-*/**'];
const outsideContract = [...contract, ...history];
const brandFile = 'openapi/components/schemas/Brand.yaml';
const overlayFile = 'openapi/overlay.yaml';
const root = new URL('../..', import.meta.url);
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

function fail(problem: string): never {
  console.error(`${namedIn}: ${problem}`);
  process.exit(1);
}

/** The values of the brand in the contract of a deployment, which may name its own; none if they are no list. */
function brandsIn(yaml: string, overlay: string | undefined): readonly string[] {
  const document = parseDocument(yaml);
  if (document.errors.length > 0) return [];
  let Brand = document.toJS();
  if (overlay !== undefined) {
    const part = { components: { schemas: { Brand } } };
    const changed = applyOverlay(part, readOverlay(overlay, overlayFile), { allowUnused: true });
    ({ Brand } = (changed as typeof part).components.schemas);
  }
  const names: unknown = Brand?.enum;
  return Array.isArray(names) ? names.map(String) : [];
}

/** A file of the last commit; `undefined` where that has none. */
const committed = (file: string) =>
  git('ls-tree', '--name-only', 'HEAD', file) === '' ? undefined : git('show', `HEAD:${file}`);
/** A file as it is; `undefined` where there is none. */
function present(file: string): string | undefined {
  const path = new URL(file, root);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The brands now. A mistake in the overlay is one of its author. */
function brandsNow(): readonly string[] {
  try {
    return brandsIn(present(brandFile) ?? '', present(overlayFile));
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}

/** Where the brands are named now, for messages. */
const namedIn = present(overlayFile) === undefined ? brandFile : overlayFile;
const before = brandsIn(committed(brandFile) ?? '', committed(overlayFile));
const now = brandsNow();
if (now.length === 0) fail('enum is no list of names');
const gone = before.filter((name) => !now.includes(name));
const added = now.filter((name) => !before.includes(name));
// A name that is only added, removed or moved replaces none.
if (gone.length > 0 && added.length > 0) {
  if (gone.length !== added.length)
    fail(
      `name as many brands as before, commit, then add or remove brands; gone names: ${gone.join(', ')}; new: ${added.join(', ')}`,
    );
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
