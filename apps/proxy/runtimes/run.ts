// Plays every scenario of the proxy on Hono's Node server, workerd, Deno and Bun. Installs what it needs into its own folder first.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
mkdirSync(join(here, '.cache'), { recursive: true });
if (!existsSync(join(here, 'node_modules/.package-lock.json'))) {
  console.error('installing the runtimes into runtimes/node_modules …');
  // By the lockfile, but not `ci`: that rejects one which lacks packages of platforms that this machine's registry does not have.
  const flags = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', flags, { cwd: here, stdio: 'inherit' });
}
// Read only now, because it needs what was just installed.
const { runSuite } = await import('./suite.ts');
process.exit((await runSuite()) ? 0 : 1);
