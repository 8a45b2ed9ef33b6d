import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';

/** Whether a redis-server is installed here. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('the tests with Redis are skipped: redis-server is not installed');

/** A real Redis that a test can kill and start again; it ends with the test. */
export interface TestRedis {
  readonly port: number;
  readonly url: string;
  readonly process: () => ChildProcess;
  /** Ends it at once, without a goodbye. */
  kill(): Promise<void>;
  /** Sends it one command. */
  command(name: string, ...more: string[]): Promise<unknown>;
  /** Starts it on the same port, with what it had saved. */
  start(): Promise<void>;
}

async function untilReady(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const ready = await new Promise<boolean>((resolve) => {
      socket.on('error', () => resolve(false));
      socket.on('data', (bytes) => resolve(bytes.toString().startsWith('+PONG')));
      socket.on('connect', () => socket.write('PING\r\n'));
    });
    socket.destroy();
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('redis-server did not start');
}

/** @param more further flags of redis-server */
export async function startRedis(more: readonly string[] = []): Promise<TestRedis> {
  const port = await getPort();
  const folder = await mkdtemp(join(tmpdir(), 'vds-redis-'));
  let child: ChildProcess;
  const redis: TestRedis = {
    port,
    url: `redis://127.0.0.1:${port}`,
    process: () => child,
    async command(name, ...more) {
      const client = new Redis({ port, host: '127.0.0.1' });
      return client.call(name, ...more).finally(() => client.disconnect());
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async start() {
      const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
      const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--repl-diskless-sync-delay', '0'];
      child = spawn('redis-server', [...flags, ...durable, ...more], { stdio: 'ignore' });
      await untilReady(port);
    },
  };
  await redis.start();
  onTestFinished(redis.kill);
  return redis;
}

/** Starts a Sentinel that alone decides when a primary is down. */
export async function startSentinel(primaryPort: number): Promise<{ readonly port: number }> {
  const port = await getPort();
  const file = join(await mkdtemp(join(tmpdir(), 'vds-sentinel-')), 'sentinel.conf');
  const lines = [
    `port ${port}`,
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 1`,
    'sentinel down-after-milliseconds mymaster 200',
    'sentinel failover-timeout mymaster 5000',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await untilReady(port);
  return { port };
}
