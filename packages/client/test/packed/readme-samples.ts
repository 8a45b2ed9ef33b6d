import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCatalogue } from '@vehicle-data/openapi';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import * as api from '../../src/index.js';
import { startHttpService } from '../http-service.ts';
import { respondToExercise } from './exercise-service.ts';
import { compile, packageFolder, run } from './install-packed.ts';

const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
const guide = await readFile(join(packageFolder, '../../openapi/guides/sdk.md'), 'utf8');
const samples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
// Samples that go on from the first one get its client.
const prelude = `import { createVehicleDataClient } from '@vehicle-data/client';
const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8787', brand: 'brand_a', accessToken: 'demo-access-token' });
const vin = 'SANDB0XA000000001';
`;
const whole = samples.map((code) => (code.includes('createVehicleDataClient') ? code : `${prelude}${code}`));

/** Compiles and runs every sample of the README in the project that a test file has installed the packages in. */
export function describeReadme(project: { readonly folder: string }): void {
  describe('every sample of the README', () => {
    test('compiles', async () => {
      expect(samples.length).toBeGreaterThan(5);
      const names = whole.map((_, index) => `sample-${index}.ts`);
      await Promise.all(whole.map((code, index) => writeFile(join(project.folder, names[index] ?? ''), code)));
      const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'];
      expect(await compile(project.folder, { module: 'esnext', moduleResolution: 'bundler', lib }, names)).toBe('');
    });

    test.each(whole.map((code, index) => [index, code] as const))('number %i runs', async (index, code) => {
      const service = await startHttpService(respondToExercise);
      const file = join(project.folder, `sample-${index}.js`);
      const { code: script } = await transform(code, { loader: 'ts', format: 'esm', target: 'es2022' });
      await writeFile(file, script.replaceAll('http://127.0.0.1:8787', service.url));
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: project.folder });
      expect(stderr).toBe('');
      if (code.includes('console.log')) expect(stdout).not.toBe('');
    });
  });

  test.each(['## Install', '## Supported versions'])('%s is the same in README and guide', (heading) => {
    const sectionOf = (text: string) => text.split(`\n${heading}\n`)[1]?.split('\n## ')[0]?.trim();
    expect(sectionOf(readme)).toBe(sectionOf(guide));
  });

  test('the supported versions are those that are installed for the tests', async () => {
    const text = await readFile(join(packageFolder, 'runtimes/package.json'), 'utf8');
    const { dependencies } = JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> };
    const rows = new Map(
      [...readme.matchAll(/^\| (\w+) +\| ([\d.]+) /gm)].map(([, tool = '', version = '']) => [tool, version]),
    );
    for (const [tool, name] of [
      ['Bun', 'bun'],
      ['Deno', 'deno'],
      ['Jest', 'jest'],
      ['TypeScript', 'typescript-5.0'],
    ] as const) {
      const version = rows.get(tool) ?? 'no row';
      expect(dependencies[name]?.split('@').at(-1), tool).toMatch(new RegExp(`^${version}\\.`));
    }
  });

  describe('the tables of errors in the guide', () => {
    const [, section = ''] = /## Errors\n([\s\S]*?)\n## /.exec(guide) ?? [];
    const rows = [...section.matchAll(/^\| `.*$/gm)].map(([row]) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

    test('have every code of the service with its resolution and whether it is temporary, and no other', () => {
      const expected = errorCatalogue
        .filter(({ origin }) => origin !== 'proxy')
        .map(({ code, message, resolution, temporary }) => [
          `\`${code}\` ${message}`,
          `\`${resolution}\``,
          temporary ? 'yes' : 'no',
        ]);
      expect(
        rows.filter((cells) => /^(yes|no)$/.test(cells[3] ?? '')).map(([code, , ...facts]) => [code, ...facts]),
      ).toEqual(expected);
    });

    test('name classes that exist, all of them', () => {
      const named = new Set(rows.map(([, name = '']) => name.slice(1, -1)));
      const others = ['isVehicleDataError', 'VehicleDataError'];
      const classes = Object.keys(api).filter((name) => name.endsWith('Error') && !others.includes(name));
      expect([...named].sort()).toEqual(classes.sort());
    });
  });
}
