import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Problem } from '../problem.ts';

const file = 'pnpm-workspace.yaml';

/** The only packages that may run code while they are installed, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  pnpm: 'puts the binary of the platform in place; the workspace is installed with the same program',
};

/** pnpm runs no install script unless pnpm-workspace.yaml names it; this holds that list to the short one above. */
export async function installScriptProblems(repository: string): Promise<readonly Problem[]> {
  const settings: unknown = parse(await readFile(join(repository, file), 'utf8'));
  const problems: Problem[] = [];
  const has = (key: string) => typeof settings === 'object' && settings !== null && key in settings;
  for (const key of ['dangerouslyAllowAllBuilds', 'onlyBuiltDependencies', 'neverBuiltDependencies']) {
    if (has(key)) problems.push({ place: file, message: `${key} goes around allowBuilds` });
  }
  const builds: unknown = has('allowBuilds') ? Reflect.get(Object(settings), 'allowBuilds') : {};
  for (const [name, allows] of Object.entries(Object(builds))) {
    if (allows !== false && !Object.hasOwn(allowed, name)) {
      const message = `${name} may run install scripts; give the reason in packages/release/src/supply-chain/install-scripts.ts`;
      problems.push({ place: file, message });
    }
  }
  return problems;
}
