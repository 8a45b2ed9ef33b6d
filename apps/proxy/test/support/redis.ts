import { dirname } from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { reservedPort } from '../../../../scripts/reserved-port.ts';
import { startListening } from './listening.ts';
import { newFile } from './program.ts';

/** Sends one command to a server. */
async function command(port: number, name: string, ...more: string[]): Promise<unknown> {
  // Until it listens.
  const client = new Redis({ port, host: '127.0.0.1' }).on('error', () => {});
  return client.call(name, ...more).finally(() => client.disconnect());
}

/** A real Redis that a test can kill and start again with what it had saved. */
export async function startRedis(...more: string[]) {
  const port = await reservedPort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dirname(newFile('redis')), '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--repl-diskless-sync-delay', '0'];
  const listening = () => startListening(['redis-server', ...flags, ...durable, ...more], {}, [port]);
  let server = await listening();
  const kill = () => server.kill();
  onTestFinished(kill);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      server = await listening();
    },
    kill,
    send: (name: string, ...rest: string[]) => command(port, name, ...rest),
    signal: (name: NodeJS.Signals) => process.kill(server.pid, name),
  };
}
