// What a build is made from. A file that changes nothing in a build must not make it, and all that depend on it, run again.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

interface DryRun {
  readonly tasks: readonly { readonly taskId: string; readonly inputs: Readonly<Record<string, string>> }[];
}

test('no build is made from tests, benchmarks, READMEs or what a build has written', async () => {
  const turbo = `${repository}/node_modules/.bin/turbo`;
  const options = { cwd: repository, env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(turbo, ['run', 'build', '--dry=json'], options);
  const { tasks }: DryRun = JSON.parse(stdout);
  const files = tasks.flatMap(({ taskId, inputs }) => Object.keys(inputs).map((file) => `${taskId}: ${file}`));
  expect(files).toContain('@vehicle-data/validators#build: src/index.ts');
  const needless = files.filter((line) =>
    /: (test|bench|runtimes|dist|src\/generated)\/|: vitest|: (README|CHANGELOG)\.md$|\/README\.md$/.test(line),
  );
  expect(needless).toEqual([]);
});
