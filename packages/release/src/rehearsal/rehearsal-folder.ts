import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { run, runOrFail } from '../run.ts';
import { repositoryFolder } from '../workspace.ts';

/** A Node.js to try the packages on. */
export interface NodeBinary {
  readonly path: string;
  /** Such as `v20.19.0`. */
  readonly version: string;
}

/** How this machine reaches the network, if it does so in a way of its own. Nothing else of its configuration is taken over. */
const networkSettings = ['cafile', 'proxy', 'https-proxy', 'noproxy'];
const networkVariables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

/** What npm is configured with here. It would otherwise leave a log in the user's home. */
async function npmSetting(name: string): Promise<string> {
  const value = await runOrFail('npm', ['config', 'get', name, '--logs-max=0'], { cwd: repositoryFolder });
  return value.trim();
}

/** The folders of PATH that are not ours: what the machine itself offers. */
const machinePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && folder !== dirname(process.execPath));

/**
 * The one folder that a rehearsal writes to. Every program that it starts has its home, its configuration, its caches
 * and its global prefix in there, so that nothing outside is changed, nor read.
 */
export class RehearsalFolder {
  readonly path: string;
  /** Where packages come from on this machine. Read at run time; it is written to no file of the repository. */
  readonly upstreamRegistry: string;
  readonly #network: string[] = [];

  private constructor(path: string, upstreamRegistry: string) {
    this.path = path;
    this.upstreamRegistry = upstreamRegistry;
  }

  static async create(): Promise<RehearsalFolder> {
    const path = await mkdtemp(join(tmpdir(), 'release-rehearsal-'));
    const folder = new RehearsalFolder(path, await npmSetting('registry'));
    for (const name of networkSettings) {
      const value = await npmSetting(name);
      if (!['', 'null', 'undefined'].includes(value)) folder.#network.push(`${name}=${value}`);
    }
    await mkdir(folder.in('home'));
    await folder.writeNpmrc('npmrc', [`registry=${folder.upstreamRegistry}`]);
    return folder;
  }

  in(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  /** Writes an npm configuration file that reaches the network the way the machine does. */
  async writeNpmrc(name: string, lines: readonly string[]): Promise<void> {
    await writeFile(this.in(name), `${[...lines, ...this.#network].join('\n')}\n`);
  }

  /** The environment of a program: the machine's PATH after `first`, and everything else inside the folder. */
  env(first: readonly string[] = [dirname(process.execPath)], npmrc = 'npmrc'): NodeJS.ProcessEnv {
    const network = [...networkVariables, ...networkVariables.map((name) => name.toLowerCase())];
    return {
      ...Object.fromEntries(network.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []))),
      PATH: [...first, ...machinePath].join(delimiter),
      // npm, pnpm, Deno and Bun keep their caches and settings below it.
      HOME: this.in('home'),
      TMPDIR: this.path,
      LANG: 'C.UTF-8',
      npm_config_userconfig: this.in(npmrc),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_yes: 'true',
      GIT_CONFIG_GLOBAL: this.in('gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      DENO_NO_UPDATE_CHECK: '1',
      DO_NOT_TRACK: '1',
      TURBO_TELEMETRY_DISABLED: '1',
      CI: 'true',
    };
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** The Node that runs the rehearsal and the one of the machine, which may be older; each once. */
  async nodes(): Promise<readonly NodeBinary[]> {
    const onMachine = machinePath.map((folder) => join(folder, 'node')).find(existsSync);
    const binaries: NodeBinary[] = [{ path: process.execPath, version: process.version }];
    if (onMachine !== undefined) {
      const { stdout } = await run(onMachine, ['--version'], { cwd: this.path });
      if (stdout.trim() !== process.version) binaries.unshift({ path: onMachine, version: stdout.trim() });
    }
    return binaries;
  }
}
