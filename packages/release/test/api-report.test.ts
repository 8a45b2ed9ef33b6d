import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiReportProblems, apiReports, typesAlone } from '../src/api-report/api-report.ts';
import { readManifest } from '../src/workspace.ts';

const index = "export { open } from './door.js';\nexport type * from './parts/key.js';\n";

async function packageWith(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'api-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const manifest = {
    name: '@vehicle-data/door',
    version: '1.2.3',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  };
  await mkdir(join(folder, 'dist/parts'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'dist', name), text);
  return { manifest: await readManifest(folder), folder, path: 'packages/door' };
}

test('a report holds every declaration that an entry point leads to, and no other', async () => {
  const door = await packageWith({
    'index.d.ts': index,
    'door.d.ts':
      "import type { Key } from './parts/key.js';\n/** Opens. */\nexport declare function open(key: Key): void;\n",
    'parts/key.d.ts': 'export interface Key {\n    readonly teeth: number;\n}\n//# sourceMappingURL=key.d.ts.map',
    'internal.d.ts': 'export declare const secret: 1;\n',
  });
  const report = (await apiReports([door])).get('@vehicle-data/door') ?? '';
  expect(report).toContain('// dist/parts/key.d.ts\nexport interface Key {\n    readonly teeth: number;\n}\n');
  expect(report).toContain('export declare function open(key: Key): void;');
  expect(report).not.toMatch(/secret|Opens|sourceMappingURL/);
});

test('a changed public type is a problem with its line and the command that updates the report', async () => {
  const files = { 'index.d.ts': index, 'door.d.ts': 'export declare function open(): void;\n' };
  const before = await apiReports([await packageWith({ ...files, 'parts/key.d.ts': 'export type Key = 1;\n' })]);
  const after = await apiReports([await packageWith({ ...files, 'parts/key.d.ts': 'export type Key = 2;\n' })]);
  const folder = await mkdtemp(join(tmpdir(), 'api-reports-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'door.d.ts'), before.get('@vehicle-data/door') ?? '');
  expect(await apiReportProblems(before, folder)).toEqual([]);
  const problems = await apiReportProblems(after, folder);
  const line = (after.get('@vehicle-data/door') ?? '').split('\n').indexOf('export type Key = 2;') + 1;
  expect(problems.map(({ place }) => place)).toEqual([`packages/release/api/door.d.ts:${line}`]);
  expect(problems[0]?.message).toContain('npm run update-reports');
});

test('words and versions are no change of a type', () => {
  expect(typesAlone("/** A. */\nexport type A = 'a // b'; // c\n\nexport type B = 'it is';\n")).toBe(
    "export type A = 'a // b';\nexport type B = 'it is';",
  );
});
