import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runOrFail } from '../src/run.ts';
import { advisoryAgeProblems, advisoryProblems, readAdvisories } from '../src/supply-chain/advisories.ts';
import { installScriptProblems } from '../src/supply-chain/install-scripts.ts';
import { lockfileProblems, readLockfile } from '../src/supply-chain/lockfile.ts';
import { runtimeProblems } from '../src/supply-chain/runtime-dependencies.ts';
import { secretProblems } from '../src/supply-chain/secrets.ts';
import { repositoryFolder } from '../src/workspace.ts';

const integrity = `sha512-${'A'.repeat(86)}==`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'supply-chain-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test('every package of the lockfile comes from the registry with its SHA-512', async () => {
  const packages = await readLockfile(repositoryFolder);
  expect(packages.length).toBeGreaterThan(50);
  expect(lockfileProblems(packages)).toEqual([]);
});

test.each([
  ['a git address', 'git+https://example.invalid/a.git', { integrity }, 'does not come from the registry'],
  ['a tarball elsewhere', '1.0.0', { integrity, tarball: 'https://example.invalid/a.tgz' }, 'source of its own'],
  ['a folder', '1.0.0', { directory: '../a', type: 'directory' }, 'source of its own'],
  ['no integrity', '1.0.0', {}, 'has no SHA-512 integrity'],
  ['a weak hash', '1.0.0', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512 integrity'],
])('%s in the lockfile is found', (_, version, resolution, message) => {
  const problems = lockfileProblems([{ name: 'a', version, resolution }]);
  expect(problems.map((problem) => problem.message).join()).toContain(message);
});

test('only packages of the short list may run install scripts', async () => {
  expect(await installScriptProblems(repositoryFolder)).toEqual([]);
  const folder = await folderWith({ 'pnpm-workspace.yaml': 'allowBuilds:\n  pnpm: true\n  left-pad: true\n' });
  const problems = await installScriptProblems(folder);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain('left-pad may run install scripts');
});

test('a way around the short list is found', async () => {
  const folder = await folderWith({ 'pnpm-workspace.yaml': 'dangerouslyAllowAllBuilds: true\n' });
  expect((await installScriptProblems(folder))[0]?.message).toContain('dangerouslyAllowAllBuilds');
});

test('a version that a known advisory covers is found, the version that mends it is not', async () => {
  const list = await readAdvisories();
  const locked = (version: string) => [{ name: 'hono', version, resolution: { integrity } }];
  expect(advisoryProblems(locked('4.12.20'), list)[0]?.message).toContain('CVE-2026-47676');
  expect(advisoryProblems(locked('4.12.21'), list)).toEqual([]);
});

test('no pinned package is covered by a known advisory', async () => {
  expect(advisoryProblems(await readLockfile(repositoryFolder), await readAdvisories())).toEqual([]);
});

test('a list of advisories older than thirty days holds a release back', () => {
  const list = { asOf: '2026-11-01', advisories: [] };
  expect(advisoryAgeProblems(list, new Date('2026-12-01T12:00:00Z'))).toEqual([]);
  expect(advisoryAgeProblems(list, new Date('2026-12-02T12:00:00Z'))[0]?.message).toContain('last read 31 days ago');
});

test('a planted credential is found in tracked and in new files, and is not repeated in the message', async () => {
  // Put together here, so that the tree holds no text of this shape.
  const planted = ['gh', 'p_', 'Zx8Kq2Lm9Rt4Vb7Nc1Wd6Yf3Hs5Jg0Pa8EuT'].join('');
  const key = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
  const folder = await folderWith({
    'settings.ts': `export const port = 1;\nconst token = '${planted}';\n`,
    'key.pem': `${key}\n`,
    'ignored.log': planted,
    '.gitignore': '*.log\n',
  });
  await runOrFail('git', ['init', '--quiet'], { cwd: folder });
  await runOrFail('git', ['add', 'settings.ts'], { cwd: folder });
  const problems = await secretProblems(folder);
  expect(problems.map(({ place }) => place).toSorted()).toEqual(['key.pem:1', 'settings.ts:2', 'settings.ts:2']);
  expect(JSON.stringify(problems)).not.toContain(planted);
  expect(problems.map(({ message }) => message).join()).toContain('looks like a GitHub token');
});

test('a signed token and a random password are found, placeholders are not', async () => {
  const signed = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJxcHo3In0', 'k3Vt8Wq1Zr6Yb0Xn5Cm2Ls9Df4Gh7Jp'].join('.');
  const random = ['password: "q8Zt3Lw6Vn1Rb', 'X5Ky0Hs7Gd2Mf9Jp4Ca"'].join('');
  const folder = await folderWith({
    'a.md': `${signed}\n\n${random}\n`,
    'b.md': 'accessToken: "demo-access-token"\nVDS_ACCESS_TOKEN=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
  });
  await runOrFail('git', ['init', '--quiet'], { cwd: folder });
  expect((await secretProblems(folder)).map(({ place }) => place)).toEqual(['a.md:1', 'a.md:3']);
});

test('a licence with duties, a package too many and a package too big are found', () => {
  const dependency = { name: 'a', version: '1.0.0', licence: 'MIT', kilobytes: 10 };
  expect(runtimeProblems({ '@vehicle-data/validators': [dependency] })[0]?.message).toContain('allowed are 0 of 0 kB');
  expect(runtimeProblems({ '@vehicle-data/client': [{ ...dependency, kilobytes: 9999 }] })).toHaveLength(1);
  expect(runtimeProblems({ '@vehicle-data/client': [{ ...dependency, licence: 'GPL-3.0-only' }] })[0]?.message).toBe(
    'brings a@1.0.0 under GPL-3.0-only',
  );
  expect(runtimeProblems({ '@vehicle-data/client': [{ ...dependency, licence: '(MIT OR GPL-3.0-only)' }] })).toEqual(
    [],
  );
});
