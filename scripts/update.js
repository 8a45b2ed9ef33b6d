// npm run update: after an edit of the contract or of settings of proxy and collector, builds everything and renews what repeats them: the names
// of enumeration values in tests and samples, tables and outputs of samples in READMEs and guides, and the format of files.
// `--overlay FILE`, or VDS_OVERLAY, takes a deployment's changes of the contract: it is copied to openapi/overlay.yaml.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = new URL('..', import.meta.url);
/** @type {(command: string, args: readonly string[], env?: Readonly<Record<string, string>>) => boolean} */
const run = (command, args, env = {}) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) console.error(`npm run update: ${command} ${args.join(' ')} failed`);
  return status === 0;
};

/** @type {(problem: string) => never} */
const fail = (problem) => {
  console.error(`npm run update: ${problem}`);
  process.exit(1);
};

/** @returns {string | undefined} */
function readOption() {
  try {
    return parseArgs({ options: { overlay: { type: 'string' } } }).values.overlay ?? process.env['VDS_OVERLAY'];
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}. The only option is --overlay FILE`);
  }
}

const overlay = readOption();
if (overlay) {
  // npm runs this in the root of the repository, and says where it was started.
  const from = resolve(process.env['INIT_CWD'] ?? process.cwd(), overlay);
  const to = fileURLToPath(new URL('openapi/overlay.yaml', root));
  if (!existsSync(from)) fail(`the overlay ${overlay} does not exist`);
  if (from !== to) copyFileSync(from, to);
}

const docs = ['docs-tables', 'docs-samples', 'docs-guides', 'docs-recording'].map((name) => `test/${name}.test.ts`);
const isRenewed =
  run('node', ['openapi/build/rename-brands.ts']) &&
  run('turbo', ['run', 'build', '--output-logs=errors-only'], { TURBO_TELEMETRY_DISABLED: '1' }) &&
  run('pnpm', [
    ...['proxy', 'collector'].flatMap((app) => ['--filter', `@vehicle-data/${app}`]),
    'run',
    'settings-table',
  ]) &&
  run('pnpm', ['--filter', '@vehicle-data/e2e', 'exec', 'vitest', 'run', ...docs], { UPDATE_DOCS: '1' });
// After a failure as well: a step may have left files that are not formatted.
const isFormatted = run('biome', ['check', '--write', '.']);
process.exitCode = isRenewed && isFormatted ? 0 : 1;
