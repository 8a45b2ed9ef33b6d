import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
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

/**
 * Runs the load generator against a port.
 *
 * @param pauseMs mean time that a connection waits between two requests, in milliseconds; 0 for as fast as it can
 */
export async function load(
  port: number,
  { connections, target }: Workload,
  seconds: number,
  pauseMs = 0,
): Promise<LoadResult> {
  const headers = Object.entries(requestHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const wrk = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '--timeout',
    '20s',
    '-s',
    script,
    ...headers,
  ];
  const environment = pauseMs > 0 ? { PAUSE_MS: String(pauseMs) } : {};
  const child = spawn('taskset', ['-c', String(loadCore), ...wrk, `http://127.0.0.1:${port}${target}`], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  await once(child, 'close');
  const line = /RESULT (.*)/.exec(output)?.[1];
  if (line === undefined) throw new Error(`the load generator said: ${output.slice(0, 300)}`);
  return JSON.parse(line) as LoadResult;
}

/** Asks once and returns status and body. */
export function askOnce(port: number, target: string): Promise<{ readonly status: number; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path: target, headers: requestHeaders, agent: false },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces) }));
        answer.on('error', reject);
      },
    );
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')));
    asked.on('error', reject).end();
  });
}
