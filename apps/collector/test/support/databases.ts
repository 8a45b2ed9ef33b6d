// Databases for tests: PGlite, and Debian's PostgreSQL on a port of its own where the machine has it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import getPort from 'get-port';
import { Pool } from 'pg';
import { type Database, onPglite, onPostgres } from '../../dist/index.js';

interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

const programs = '/usr/lib/postgresql/15/bin';
/** Whether the machine has a PostgreSQL. */
export const hasPostgres = existsSync(join(programs, 'initdb'));
if (!hasPostgres) console.log(`skipped on PostgreSQL: there is none in ${programs}`);

/** The databases that tests run on. */
export const databases: readonly (readonly [string, () => Promise<Opened>])[] = [
  ['PGlite', openPglite],
  ...(hasPostgres ? ([['PostgreSQL', openPostgres]] as const) : []),
];

async function openPglite(): Promise<Opened> {
  const database = await PGlite.create();
  return { database: onPglite(database), close: () => database.close() };
}

async function openPostgres(): Promise<Opened> {
  const server = await startPostgres();
  const pool = new Pool({ connectionString: server.url, max: 8 });
  return {
    database: onPostgres(pool),
    async close() {
      await pool.end();
      await server.stop();
    },
  };
}

/** A PostgreSQL on a port of its own. `restart` ends every connection. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'vds-postgres-'));
  const user: { uid?: number; gid?: number } = {};
  // PostgreSQL refuses to run as root.
  if (process.getuid?.() === 0) {
    const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
    Object.assign(user, { uid: idOf('-u'), gid: idOf('-g') });
    await chown(folder, user.uid ?? 0, user.gid ?? 0);
  }
  const data = join(folder, 'data');
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', 'vds', '-A', 'trust', '-N'], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
  const port = await getPort();
  async function run() {
    const options = ['-D', data, '-p', `${port}`, '-k', folder, '-h', '127.0.0.1', '-F'];
    const server = spawn(join(programs, 'postgres'), options, {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const onExit = () => void server.kill('SIGINT');
    process.once('exit', onExit);
    server.once('exit', () => process.off('exit', onExit));
    let log = '';
    await new Promise<void>((resolve, reject) => {
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes('ready to accept connections')) resolve();
      });
      server.once('exit', () => reject(new Error(log)));
    });
    return async () => {
      server.kill('SIGINT');
      await once(server, 'exit');
    };
  }
  let end = await run();
  const urlOf = (name: string) => `postgres://vds@127.0.0.1:${port}/${name}`;
  return {
    url: urlOf('postgres'),
    /** A new database of the server. Returns its address. */
    async create(name: string): Promise<string> {
      const pool = new Pool({ connectionString: urlOf('postgres') });
      await pool.query(`create database ${name}`);
      await pool.end();
      return urlOf(name);
    },
    async restart() {
      await end();
      end = await run();
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true });
    },
  };
}
