import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOrFail } from '../src/run.ts';
import { taskHashes } from '../src/turbo-hashes.ts';
import { repositoryFolder } from '../src/workspace.ts';

const tasks = ['build', 'lint', 'typecheck', 'test'];
let copy: string;
let untouched: ReadonlyMap<string, string>;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'turbo-cache-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = await runOrFail('git', list, { cwd: repositoryFolder });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await copyFile(join(repositoryFolder, file), join(copy, file));
  }
  await runOrFail('git', ['init', '--quiet'], { cwd: copy });
  await runOrFail('git', ['add', '--all'], { cwd: copy });
  untouched = await taskHashes(copy, tasks);
}, 60_000);

afterAll(() => rm(copy, { recursive: true, force: true }));

/** The tasks that run again after a file has got another line. */
async function tasksAfterTouching(file: string): Promise<readonly string[]> {
  const path = join(copy, file);
  const text = await readFile(path);
  await appendFile(path, '\n');
  try {
    const touched = await taskHashes(copy, tasks);
    return [...touched].filter(([task, hash]) => untouched.get(task) !== hash).map(([task]) => task);
  } finally {
    await writeFile(path, text);
  }
}

const all = ['openapi', 'validators', 'client', 'proxy', 'sandbox'];
const builds = (names: readonly string[]) => names.map((name) => `${name}#build`);
const tests = (names: readonly string[]) => names.map((name) => `${name}#test`);

// Touched file, what must run again, and what must not.
const matrix: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'openapi/components/schemas/Vehicle.yaml',
    [...builds(all), ...tests([...all, 'e2e', 'release']), 'openapi#lint', '//#lint'],
    [],
  ],
  ['openapi/errors.yaml', [...builds(all), ...tests([...all, 'e2e'])], []],
  ['openapi/guides/introduction.md', ['openapi#build', 'openapi#test', 'openapi#lint'], []],
  [
    'packages/validators/src/index.ts',
    [...builds(['validators', 'proxy', 'sandbox']), ...tests(['validators', 'proxy', 'sandbox', 'e2e']), '//#lint'],
    [...builds(['openapi', 'client']), ...tests(['openapi', 'release'])],
  ],
  ['packages/validators/build/generate.ts', builds(['validators', 'proxy', 'sandbox']), ['openapi#build']],
  [
    'packages/client/src/index.ts',
    ['client#build', 'client#typecheck', ...tests(['client', 'e2e']), '//#lint'],
    builds(['openapi', 'validators', 'proxy']),
  ],
  [
    'packages/client/package.json',
    ['client#build', ...tests(['client', 'e2e'])],
    builds(['openapi', 'validators', 'proxy']),
  ],
  [
    'apps/proxy/src/index.ts',
    ['proxy#build', 'proxy#typecheck', ...tests(['proxy', 'e2e']), '//#lint'],
    builds(['openapi', 'validators', 'client', 'sandbox']),
  ],
  [
    'apps/sandbox/src/index.ts',
    ['sandbox#build', ...tests(['sandbox', 'e2e']), '//#lint'],
    builds(['openapi', 'validators', 'client', 'proxy']),
  ],
  ['packages/e2e/test/edges.test.ts', ['e2e#test', 'e2e#typecheck', '//#lint'], [...builds(all), ...tests(all)]],
  [
    'packages/release/src/problem.ts',
    ['release#test', 'release#typecheck', '//#lint'],
    [...builds(all), ...tests([...all, 'e2e'])],
  ],
  ['tsconfig.base.json', [...builds(all), ...tests([...all, 'e2e', 'release'])], []],
  ['turbo.json', ['release#test', '//#lint'], []],
  ['biome.json', ['//#lint'], builds(all)],
  ['README.md', ['//#lint'], [...builds(all), ...tests(all)]],
  ['.changeset/config.json', ['//#lint'], [...builds(all), ...tests(all)]],
];

test.for(matrix)('touching %s runs again what depends on it, and nothing else', async ([file, again, never]) => {
  const changed = await tasksAfterTouching(file);
  expect(changed).toEqual(expect.arrayContaining([...again]));
  expect(changed.filter((task) => never.includes(task))).toEqual([]);
});

test('a file that nothing has touched runs nothing again', async () => {
  expect([...(await taskHashes(copy, tasks))]).toEqual([...untouched]);
});

test('the release checks, which read the whole tree, are never taken from the cache', async () => {
  const settings = JSON.parse(await readFile(join(repositoryFolder, 'turbo.json'), 'utf8'));
  expect(settings.tasks['@vehicle-data/release#lint'].cache).toBe(false);
});

test('every task says what it leaves behind, so that a replay restores it', async () => {
  const settings = JSON.parse(await readFile(join(repositoryFolder, 'turbo.json'), 'utf8'));
  const entries = Object.entries<{ outputs?: unknown; cache?: boolean }>(settings.tasks);
  const silent = entries.filter(([, task]) => task.outputs === undefined && task.cache !== false);
  expect(silent.map(([name]) => name)).toEqual([]);
});
