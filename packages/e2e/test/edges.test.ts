import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { repository } from './apps.ts';

// Who may use whom. At run time the published SDK and validators stand alone; the apps use the contract and the validators.
const folders: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  'packages/validators': [],
  'packages/client': [],
  'packages/trip-view': ['archive/format', 'client/facts', 'client/series'],
  'packages/archive': ['client/series'],
  'packages/cli': ['archive', 'client', 'trip-view'],
  'apps/collector': ['archive', 'client', 'openapi'],
  'apps/proxy': ['openapi', 'validators'],
  'apps/sandbox': ['openapi', 'trip-view', 'validators'],
};

test.for(Object.entries(folders))('%s uses only the packages it may use', async ([folder, allowed]) => {
  const source = join(repository, folder, 'src');
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
  expect(names).not.toEqual([]);
  const used = names.map(async (file) => {
    // At the start of a line, so that an import in a docstring's example does not count.
    const imports =
      /^(?:import|export|\})(?:[^'\n]*\bfrom)? '@vehicle-data\/([^']+)'|\bimport\('@vehicle-data\/([^']+)'\)/gm;
    const found = (await readFile(join(source, file), 'utf8')).matchAll(imports);
    return [...found].flatMap(([, specifier, loaded = '']) => {
      const name = specifier ?? loaded;
      return allowed.some((one) => name === one || name.startsWith(`${one}/`)) ? [] : `${file} uses ${name}`;
    });
  });
  expect((await Promise.all(used)).flat()).toEqual([]);
  const manifest = JSON.parse(await readFile(join(repository, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@vehicle-data/'));
  const packages = new Set(allowed.map((name) => `@vehicle-data/${name.split('/', 1)[0]}`));
  expect(own.toSorted()).toEqual([...packages]);
});

// Files and terminals need Node. Of the archive, what reads and verifies bytes does not.
const needNode = new Set(['packages/cli', 'apps/collector']);
const portable = Object.keys(folders).filter((folder) => !needNode.has(folder));
const entries: Readonly<Record<string, readonly string[]>> = {
  'apps/proxy': ['index.ts', 'worker.ts'],
  'packages/archive': ['format/index.ts', 'receipts/index.ts'],
  'packages/client': ['index.ts', 'query/index.ts', 'series/index.ts', 'testing/index.ts'],
};
const portableEntries = portable.flatMap((folder) =>
  (entries[folder] ?? ['index.ts']).map((entry) => [folder, entry] as const),
);

test.for(portableEntries)('nothing that %s/src/%s reaches needs Node', async ([folder, entry]) => {
  const entryPoints = [join(repository, folder, 'src', entry)];
  const { metafile } = await build({ entryPoints, bundle: true, packages: 'external', write: false, metafile: true });
  const reached = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(reached).not.toEqual([]);
  expect(reached.filter((path) => path.startsWith('node:'))).toEqual([]);
});
