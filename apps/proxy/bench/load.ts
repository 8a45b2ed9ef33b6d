import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { loadCore } from './processes.ts';
import { requestHeaders, type Workload } from './workloads.ts';

/** What the load generator saw. Latencies in microseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly microseconds: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

const script = fileURLToPath(new URL('wrk/report.lua', import.meta.url));

/** Runs the load generator against a port. */
export async function load(port: number, { connections, target }: Workload, seconds: number): Promise<LoadResult> {
  const headers = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '20s', '-s', script, ...headers];
  const url = `http://127.0.0.1:${port}${target}`;
  const child = spawn('taskset', ['-c', String(loadCore), 'wrk', ...flags, url], {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  await once(child, 'close');
  const line = /RESULT (.*)/.exec(output)?.[1];
  if (line === undefined) throw new Error(`the load generator said: ${output.slice(0, 300)}`);
  return JSON.parse(line) as LoadResult;
}

/** Sends one request, on a connection of its own. */
export async function requestOnce(port: number, target: string) {
  const options = { host: '127.0.0.1', port, path: target, headers: requestHeaders, agent: false };
  const sent = request({ ...options, signal: AbortSignal.timeout(20_000) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: Buffer.concat(await response.toArray()) };
}
