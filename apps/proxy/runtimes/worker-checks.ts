import { spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, startRuntime } from './start-runtime.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Whether Cloudflare's own tool would deploy the Worker. Nothing is sent anywhere. */
export function wranglerAccepts(): boolean {
  const configuration = fileURLToPath(new URL('../wrangler.json', import.meta.url));
  const flags = ['deploy', '--dry-run', '--config', configuration, '--outdir', `${here}.cache/wrangler`];
  const environment = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  return spawnSync(`${here}node_modules/.bin/wrangler`, flags, { env: environment, stdio: 'ignore' }).status === 0;
}

/** Time from the start of the process to the first whole answer of an isolate, in milliseconds: the least of five starts. */
export async function firstAnswerMs(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const config = {
      upstreamUrl: 'http://127.0.0.1:9',
      upstreamAuth: { kind: 'forward' },
      allowStopAll: false,
      validateResponses: 'off',
    } as const;
    const port = await freePort();
    const startMs = performance.now();
    const started = await startRuntime('workerd', [{ port, identity: 'forward', config }], 'worker.js');
    await new Promise<void>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/healthz' }, (answer) => answer.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
    least = Math.min(least, performance.now() - startMs);
    started.stop();
    await wait(20);
  }
  return least;
}
