// Debian's PostgreSQL as tests start it: on a socket in a folder, so that it needs no port.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';

const programs = '/usr/lib/postgresql/15/bin';
/** Whether the machine has a PostgreSQL. */
export const hasPostgres = existsSync(join(programs, 'initdb'));

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 && hasPostgres ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;

function idOf(flag: string): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
}

const dataOf = (folder: string) => join(folder, 'data');

/** Starts a PostgreSQL of its own. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'vds-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const args = ['-D', dataOf(folder), '-U', 'vds', '-A', 'trust', '-N', '--wal-segsize=1'];
  await promisify(execFile)(join(programs, 'initdb'), args, { ...user, cwd: folder });
  let end = await run(folder);
  return {
    folder,
    url: addressOf(folder, 'postgres'),
    /** A new database of the server. Returns its address. */
    create: (name: string) => createDatabase(folder, name),
    /** Ends every connection. */
    async restart() {
      await end('SIGINT');
      end = await run(folder);
    },
    async stop() {
      await end('SIGQUIT');
      await rm(folder, { recursive: true });
    },
  };
}

/** Makes a database of the server in a folder. Returns its address. */
export async function createDatabase(folder: string, name: string): Promise<string> {
  const pool = new Pool({ connectionString: addressOf(folder, 'postgres'), max: 1 });
  await pool.query(`create database ${name}`);
  await pool.end();
  return addressOf(folder, name);
}

/** Runs the server of a folder. Returns what ends it: with all that it has written, or at once. */
async function run(folder: string) {
  const settings = ['autovacuum=off', 'max_wal_size=2GB', 'max_connections=200'].flatMap((setting) => ['-c', setting]);
  const options = ['-D', dataOf(folder), '-k', folder, '-h', '', '-F', ...settings];
  const server = spawn(join(programs, 'postgres'), options, {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const onExit = () => void server.kill('SIGQUIT');
  process.once('exit', onExit);
  const ended = once(server, 'exit').finally(() => process.off('exit', onExit));
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(log)));
  });
  return async (how: 'SIGINT' | 'SIGQUIT') => {
    server.kill(how);
    await ended;
  };
}

const addressOf = (folder: string, name: string) => `postgres://vds@localhost/${name}?host=${folder}`;
