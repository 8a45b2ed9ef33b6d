import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { nameRepository } from '../src/name-repository.ts';
import { writtenRelease } from '../src/rehearsal/written-release.ts';
import { repositoryFolder } from '../src/workspace.ts';

const folder = join(repositoryFolder, '.github/workflows');

/** The commit of each tag, as it stands in the action's own repository. An action that is not here was not looked up. */
const lookedUp: Readonly<Record<string, string>> = {
  'actions/checkout v7.0.1': '3d3c42e5aac5ba805825da76410c181273ba90b1',
  'actions/setup-node v7.0.0': '820762786026740c76f36085b0efc47a31fe5020',
};

test('every action is pinned to the commit of a tag that was looked up', async () => {
  const files = await readdir(folder);
  expect(files).toContain('release.yml');
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    const uses = [...text.matchAll(/uses:\s*(\S+)@(\S+)\s*(?:#\s*(\S+))?$/gm)];
    expect(uses.length, file).toBe([...text.matchAll(/uses:/g)].length);
    for (const [, action, commit, tag] of uses) expect(lookedUp[`${action} ${tag}`], `${file}: ${action}`).toBe(commit);
  }
});

test('workflows may only read, but for the job that publishes', async () => {
  for (const file of await readdir(folder)) {
    const workflow = parse(await readFile(join(folder, file), 'utf8'));
    expect(workflow.permissions, file).toEqual({ contents: 'read' });
    for (const [name, job] of Object.entries<{ permissions?: unknown; 'timeout-minutes'?: number }>(workflow.jobs)) {
      expect(job['timeout-minutes'], `${file}: ${name}`).toBeGreaterThan(0);
      const expected =
        file === 'release.yml' && name === 'publish' ? { contents: 'write', 'id-token': 'write' } : undefined;
      expect(job.permissions, `${file}: ${name}`).toEqual(expected);
    }
  }
});

test('a release waits for CI, comes from main, uses no stored token, and asks for the cooldown and provenance', async () => {
  const text = await readFile(join(folder, 'release.yml'), 'utf8');
  const { publish } = parse(text).jobs;
  expect(publish).toMatchObject({ needs: 'verify', if: "github.ref == 'refs/heads/main'", environment: 'npm' });
  expect(text).not.toContain('secrets.');
  const commands: readonly string[] = publish.steps.flatMap((step: { run?: string }) => step.run ?? []);
  expect(commands).toContain('npm run setup-for-release');
  expect(commands).toContain('npm run publish-packages -- --provenance');
  const { scripts } = JSON.parse(await readFile(join(repositoryFolder, 'package.json'), 'utf8'));
  expect(scripts['setup-for-release']).toContain('--config.trustLockfile=false --config.minimumReleaseAge=4320');
});

test('how to release takes at most ten lines, and the rehearsal follows those that it can', async () => {
  const lines = await writtenRelease(repositoryFolder);
  expect(lines.filter(({ leftOut }) => leftOut === undefined).map(({ line }) => line)).toEqual([
    'git switch main',
    'git pull',
    'npm run version-packages',
    'git add --all',
    'git commit --message "chore: release packages"',
    'git push',
  ]);
});

test('a manifest names the repository that publishes it, and only the publishing CI can tell', async () => {
  const at = await mkdtemp(join(tmpdir(), 'repository-'));
  onTestFinished(() => rm(at, { recursive: true, force: true }));
  await writeFile(join(at, 'package.json'), '{ "name": "a" }');
  await expect(nameRepository({ folder: at, path: 'packages/a' }, {})).rejects.toThrow('variables of the CI');
  const env = { GITHUB_SERVER_URL: 'https://git.example.invalid', GITHUB_REPOSITORY: 'team/project' };
  await nameRepository({ folder: at, path: 'packages/a' }, env);
  expect(JSON.parse(await readFile(join(at, 'package.json'), 'utf8'))).toEqual({
    name: 'a',
    repository: { type: 'git', url: 'git+https://git.example.invalid/team/project.git', directory: 'packages/a' },
  });
});
