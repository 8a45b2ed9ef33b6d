// Databases for tests: PGlite, and Debian's PostgreSQL on a port of its own where the machine has it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import getPort from 'get-port';
import { Pool } from 'pg';
import { statusText } from '../../dist/command/status.js';
import { type Database, onPglite, onPostgres } from '../../dist/ledger/database.js';
import { migrate } from '../../dist/ledger/migrations.js';
import { copyOfPrepared } from './prepared.ts';

interface Opened {
  readonly database: Database;
  close(): Promise<void>;
}

const programs = '/usr/lib/postgresql/15/bin';
/** Whether the machine has a PostgreSQL. */
export const hasPostgres = existsSync(join(programs, 'initdb'));
if (!hasPostgres) console.log(`skipped on PostgreSQL: there is none in ${programs}`);

/** The databases that tests run on. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<Opened> }[] = [
  { name: 'PGlite', open: openPglite },
  ...(hasPostgres ? [{ name: 'PostgreSQL', open: openPostgres }] : []),
];

async function openPglite(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-pglite-'));
  const data = join(folder, 'data');
  await emptyPglite(data);
  const database = await PGlite.create(data);
  return {
    database: onPglite(database),
    async close() {
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}

const emptyPglite = (at: string): Promise<void> =>
  copyOfPrepared('pglite', at, async (folder) => (await PGlite.create(folder)).close());

/** Makes an embedded ledger as `vds-collector migrate` leaves it, which belongs to no lake yet. */
export const prepareLedger = (at: string): Promise<void> =>
  copyOfPrepared('ledger', at, async (folder) => {
    await emptyPglite(folder);
    const database = await PGlite.create(folder);
    await migrate(onPglite(database));
    await database.close();
  });

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

async function own(path: string, { uid, gid }: { readonly uid?: number; readonly gid?: number }): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

/** What `vds-collector status --json` says of the ledger on a PostgreSQL, as often as asked, without a process each time. */
export function watchStatus<Status>(url: string) {
  const pool = new Pool({ connectionString: url, max: 1 });
  const database = onPostgres(pool);
  return {
    status: async () => JSON.parse(await statusText(database, true)) as Status,
    close: () => pool.end(),
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
  }
  const data = join(folder, 'data');
  await copyOfPrepared('postgres', data, async (at) => {
    await own(dirname(at), user);
    const made = spawnSync(join(programs, 'initdb'), ['-D', at, '-U', 'vds', '-A', 'trust', '-N'], {
      ...user,
      cwd: dirname(at),
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(made.stderr);
  });
  for (const path of [folder, data]) await own(path, user);
  for (const name of await readdir(data, { recursive: true })) await own(join(data, name), user);
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
