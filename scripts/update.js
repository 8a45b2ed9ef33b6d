// npm run update: after an edit of the contract or of the proxy's settings, builds everything and renews what repeats them: the names
// of enumeration values in tests and samples, tables and outputs of samples in READMEs and guides, and the format of files.
import { spawnSync } from 'node:child_process';

const root = new URL('..', import.meta.url);
/** @type {(command: string, args: readonly string[], env?: Readonly<Record<string, string>>) => boolean} */
const run = (command, args, env = {}) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) console.error(`npm run update: ${command} ${args.join(' ')} failed`);
  return status === 0;
};

const docs = ['docs-tables', 'docs-samples', 'docs-recording'].map((name) => `test/${name}.test.ts`);
const isRenewed =
  run('turbo', ['run', 'build', '--output-logs=errors-only'], { TURBO_TELEMETRY_DISABLED: '1' }) &&
  run('pnpm', ['--filter', '@vehicle-data/proxy', 'run', 'settings-table']) &&
  run('pnpm', ['--filter', '@vehicle-data/e2e', 'exec', 'vitest', 'run', ...docs], { UPDATE_DOCS: '1' });
// After a failure as well: a step may have left files that are not formatted.
const isFormatted = run('biome', ['check', '--write', '.']);
process.exitCode = isRenewed && isFormatted ? 0 : 1;
