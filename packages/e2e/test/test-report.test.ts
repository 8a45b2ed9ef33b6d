// The report of the tests of a package, which `npm test` reads for its table.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { TestReport } from '../../../scripts/test-report.ts';
import { temporaryFolder } from './apps.ts';

type Ended = Parameters<TestReport['onTestRunEnd']>[0][number];

/** A file whose one test was skipped. */
const skippedIn = (id: string, note?: string): Ended => {
  const allTests = () => [{ fullName: `of ${id}`, result: () => ({ state: 'skipped', note }) }];
  return { id, moduleId: `/package/${id}.test.ts`, children: { allTests }, errors: () => [] };
};

/** What is written after a run of files, and whether the run fails for it. */
async function reportAfter(
  printed: Readonly<Record<string, string>>,
  files: readonly Ended[],
  testNamePattern?: RegExp,
) {
  const root = await temporaryFolder();
  const { exitCode } = process;
  const report = new TestReport(root);
  report.onInit({ config: { testNamePattern } });
  for (const [taskId, content] of Object.entries(printed)) report.onUserConsoleLog({ taskId, content });
  report.onTestRunEnd(files, []);
  const isRed = process.exitCode === 1;
  process.exitCode = exitCode;
  const { skips, failures }: Record<string, { name: string; reason?: string }[]> = JSON.parse(
    await readFile(`${root}/.cache/tests.json`, 'utf8'),
  );
  return { reasons: skips?.map(({ reason }) => reason), failed: failures?.map(({ name }) => name), isRed };
}

test('a test that is skipped has the reason that it or its file printed, or that a file before it printed for both', async () => {
  const printed = { a: 'not run in Firefox: there is none\n42 vehicles\n', b: 'PostgreSQL is missing\n' };
  expect(await reportAfter(printed, [skippedIn('a'), skippedIn('b', 'not asked for'), skippedIn('c')])).toEqual({
    reasons: [
      'not run in Firefox: there is none',
      'not asked for',
      'not run in Firefox: there is none PostgreSQL is missing',
    ],
    failed: [],
    isRed: false,
  });
});

test('a test that is skipped without a reason fails the run, unless only some tests were asked for', async () => {
  const silent = { a: '42 vehicles\n' };
  const failed = { reasons: [''], failed: ['of a'], isRed: true };
  expect(await reportAfter(silent, [skippedIn('a')])).toEqual(failed);
  expect(await reportAfter(silent, [skippedIn('a')], /another/)).toEqual({ ...failed, failed: [], isRed: false });
});
