// The samples of READMEs, of the site and of the reference. Those of the guides are in docs-guides.test.ts.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { repository, run } from './apps.ts';
import { quotedAfter, sampleDeadlineMs, startSamples } from './sample-runner.ts';
import {
  isOfGuides,
  isOwnScripts,
  isRun,
  isWithdrawal,
  linesOf,
  ofReference,
  samples,
  script,
  typeScript,
} from './samples.ts';

const { work, addressed, runSample, expectSample } = await startSamples('samples', typeScript);
const putBack = await quotedAfter('apps/docs/dist/operations/stopDataSharing.md', 'Put the sandbox back afterwards:');

test('every TypeScript sample of docs and READMEs compiles under strict settings', async () => {
  const unused = { noUnusedLocals: false, noUnusedParameters: false };
  const settings = {
    extends: '../../../../../tsconfig.base.json',
    compilerOptions: { noEmit: true, types: ['node'], skipLibCheck: true, ...unused },
    include: ['*.ts'],
  };
  await writeFile(`${work}/tsconfig.json`, JSON.stringify(settings));
  const { stdout } = await run(`${repository}/node_modules/.bin/tsc`, ['--singleThreaded', '-p', work]).catch(
    (error: { stdout: string }) => error,
  );
  const placed = stdout.replaceAll(/sample-(\d+)\.ts/g, (file, index) => `${typeScript[index]?.place} ${file}`);
  expect(placed).toBe('');
});

test.for(samples.filter((sample) => isRun(sample) && !isOfGuides(sample)))(
  'a sample works and prints what it shows: $place',
  { timeout: sampleDeadlineMs + 30_000 },
  expectSample,
);

test('every sample of the reference works and prints at most 4 kB, also after the vehicle of the withdrawal has gone', {
  timeout: 2 * sampleDeadlineMs,
}, async () => {
  const withdrawals = ofReference.filter(isWithdrawal);
  for (const sample of [...withdrawals, ...ofReference.filter((other) => !withdrawals.includes(other))]) {
    if (withdrawals.includes(sample)) await run('bash', ['-c', addressed(putBack)]);
    const { stdout, stderr } = await runSample(sample);
    expect(stdout, sample.place).not.toBe('');
    expect(stdout.length, sample.place).toBeLessThan(4000);
    expect(`${stdout}${stderr}`, sample.place).not.toMatch(/"error"|Error|Traceback|\[Object\]/);
  }
});

test.for(samples.filter((sample) => sample.language === 'sh' && isOwnScripts(sample)))(
  'the scripts that a sample names are there: $place',
  async (sample) => {
    for (const line of linesOf(sample)) {
      const [, tool, name = ''] = script.exec(line) ?? [];
      const folder = tool === 'npm' ? '.' : dirname(sample.place);
      const manifest: unknown = JSON.parse(await readFile(`${repository}/${folder}/package.json`, 'utf8'));
      expect(manifest, line).toMatchObject({ scripts: { [name]: expect.any(String) } });
    }
  },
);
