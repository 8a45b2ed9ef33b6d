import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { repository, stopProcess } from './apps.ts';

test('npm start, then one paste: a year of Parquet and a question in SQL', { timeout: 120_000 }, async () => {
  const started = spawn(process.execPath, [`${repository}/scripts/start.js`, '--no-build'], {
    env: { PATH: process.env['PATH'], VDS_SANDBOX_PORT: '0', VDS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => stopProcess(started));
  let printed = '';
  started.stdout.on('data', (chunk: Buffer) => (printed += chunk));
  await vi.waitFor(() => expect(printed).toContain('Ctrl-C stops both.'), 20_000);
  const address = /^Proxy +(http:\S+)/m.exec(printed)?.[1];

  const folder = await mkdtemp(join(tmpdir(), 'newcomer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(
    join(folder, 'vds'),
    `#!/bin/sh\nexec '${process.execPath}' '${repository}/packages/cli/dist/main.js' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const readme = await readFile(`${repository}/packages/cli/README.md`, 'utf8');
  const paste = /^## Two minutes[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(readme)?.[1];
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', String(paste)], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, VDS_BASE_URL: address },
  });
  const months = stdout
    .trim()
    .split('\n')
    .slice(-3)
    .map((line): unknown => JSON.parse(line));
  expect(months).toMatchObject([{ month: '2025-01' }, { month: '2025-02' }, { month: '2025-03' }]);
});
