// The pages about keys and tokens of the proxy as a newcomer plays them: an empty folder, the commands as printed, in page order.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { repository, run, startApp, stopProcess, temporaryFolder } from './apps.ts';
import { samplesOf } from './markdown-samples.ts';

test('an API key that was just created works in the request after it, with the token of the client and with that of the proxy', async () => {
  const sandbox = await startApp('sandbox', {});
  const cwd = await temporaryFolder();
  const program = `#!/bin/sh\nshift\nexec '${process.execPath}' '${repository}/apps/proxy/dist/node.js' "$@"\n`;
  await writeFile(`${cwd}/npx`, program, { mode: 0o755 });
  const options = { cwd, env: { PATH: `${cwd}:${process.env['PATH']}`, VDS_PORT: '0', VDS_DRAIN_DELAY_MS: '0' } };
  const bash = async (source: string) => (await run('bash', ['-ec', source], options)).stdout;

  /** Runs a block that starts the proxy, until it says where it listens; gives its address and what stops it. */
  const start = async (source: string) => {
    const child = spawn('bash', ['-ec', source.replace(/^npx/m, 'exec npx')], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => stopProcess(child));
    let printed = '';
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          printed += chunk;
          const [, found] = /listening on (http:\S+)\n/.exec(printed) ?? [];
          if (found !== undefined) resolve(found);
        });
      child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${printed}`)));
    });
    return { address, stop: () => stopProcess(child) };
  };
  for (const page of ['proxy-clients', 'proxy-tokens']) {
    let proxy = { address: '', stop: () => Promise.resolve() };
    for (const { language, source, outputs } of await samplesOf(`openapi/guides/${page}.md`)) {
      expect(language).toBe('sh');
      const block = source
        .replaceAll('http://127.0.0.1:8788', sandbox.address)
        .replaceAll('http://127.0.0.1:8787', proxy.address);
      if (/^npx @vehicle-data\/proxy(?! keys)/m.test(block)) proxy = await start(block);
      else expect(await bash(block)).toContain(outputs[0]?.text.trim() ?? 'dashboard');
    }
    const withoutKey = await fetch(`${proxy.address}/v1/vehicles/consent`, { headers: { Brand: 'brand_a' } });
    expect(withoutKey.status, page).toBe(401);
    await proxy.stop();
  }
});
