import { join } from 'node:path';
import { run } from './run.ts';
import { repositoryFolder } from './workspace.ts';

interface DryRun {
  readonly tasks: readonly { readonly taskId: string; readonly hash: string; readonly command: string }[];
}

/** The hash of every task of a repository: what turbo compares to tell whether a task has to run again. */
export async function taskHashes(repository: string, tasks: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { exitCode, stdout, stderr } = await run(
    join(repositoryFolder, 'node_modules/.bin/turbo'),
    ['run', ...tasks, '--dry=json'],
    {
      cwd: repository,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    },
  );
  if (exitCode !== 0) throw new Error(`turbo --dry failed:\n${stderr}`);
  const report = JSON.parse(stdout) as DryRun;
  const real = report.tasks.filter(({ command }) => command !== '<NONEXISTENT>');
  return new Map(real.map(({ taskId, hash }) => [taskId.replace('@vehicle-data/', ''), hash]));
}
