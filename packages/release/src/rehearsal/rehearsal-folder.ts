import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { run } from '../../../../openapi/build/run.ts';
import { repositoryFolder } from '../workspace.ts';

/** A Node.js to try the packages on: its path, and a version such as `v22.12.0`. */
export type NodeBinary = Awaited<ReturnType<typeof nodesToTry>>[number];

export type RehearsalFolder = Awaited<ReturnType<typeof createRehearsalFolder>>;

/** How this machine reaches the network, if it does so in a way of its own. Nothing else of its configuration is taken over. */
const networkSettings = ['cafile', 'proxy', 'https-proxy', 'noproxy'];
const networkVariables = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|HTTP_PROXY|HTTPS_PROXY|NO_PROXY)$/i;

/** The folders of PATH that are not ours: what the machine itself offers. */
const machinePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && folder !== dirname(process.execPath));

/**
 * The one folder that a rehearsal writes to. Every program that it starts has its home, its configuration, its caches
 * and its global prefix in there, so that nothing outside is changed, nor read.
 */
export async function createRehearsalFolder() {
  const path = await mkdtemp(join(tmpdir(), 'release-rehearsal-'));
  const inside = (...names: readonly string[]) => join(path, ...names);
  // npm would otherwise leave a log in the user's home.
  const settings = await run('npm', ['config', 'list', '--json', '--logs-max=0'], { cwd: repositoryFolder });
  const machine: Readonly<Record<string, unknown>> = JSON.parse(settings);
  const network = networkSettings.flatMap((name) => {
    const value = String(machine[name] ?? '');
    return value === '' ? [] : [`${name}=${value}`];
  });
  /** Writes an npm configuration file that reaches the network the way the machine does. */
  const writeNpmrc = (name: string, ...lines: readonly string[]) =>
    writeFile(inside(name), `${[...lines, ...network].join('\n')}\n`);
  /** Where packages come from on this machine. Read at run time; it is written to no file of the repository. */
  const upstreamRegistry = String(machine['registry']);
  await mkdir(inside('home'));
  await writeNpmrc('npmrc', `registry=${upstreamRegistry}`);
  return {
    path,
    in: inside,
    upstreamRegistry,
    writeNpmrc,
    /** The environment of a program: the machine's PATH after `first`, and everything else inside the folder. */
    env: (first: readonly string[] = [dirname(process.execPath)], npmrc = 'npmrc'): NodeJS.ProcessEnv => ({
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => networkVariables.test(name))),
      PATH: [...first, ...machinePath].join(delimiter),
      // npm and pnpm keep their caches and settings below it.
      HOME: inside('home'),
      TMPDIR: path,
      LANG: 'C.UTF-8',
      npm_config_userconfig: inside(npmrc),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_yes: 'true',
      GIT_CONFIG_GLOBAL: inside('gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      DO_NOT_TRACK: '1',
      TURBO_TELEMETRY_DISABLED: '1',
      CI: 'true',
    }),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** The Node that runs the rehearsal and the one of the machine, which may be older; each once. */
export async function nodesToTry() {
  const own = { path: process.execPath, version: process.version };
  const path = machinePath.map((folder) => join(folder, 'node')).find(existsSync);
  if (path === undefined) return [own];
  const version = (await run(path, ['--version'], { cwd: tmpdir() })).trim();
  return version === own.version ? [own] : [{ path, version }, own];
}
