import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './apps.ts';

// Who may use whom. At run time the published SDK and validators stand alone; the apps use the contract and the validators.
const folders: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  'packages/validators': [],
  'packages/client': [],
  'packages/trip-view': ['client/series'],
  'packages/archive': ['client/series'],
  'packages/cli': ['archive', 'client', 'trip-view'],
  'apps/proxy': ['openapi', 'validators'],
  'apps/sandbox': ['openapi', 'trip-view', 'validators'],
};

/** What each source file of a package imports. */
async function importsOf(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const source = join(repository, folder, 'src');
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const found = names.map(async (name) => {
    const text = await readFile(join(source, name), 'utf8');
    // At the start of a line, so that an import in a docstring's example does not count.
    const imports = text.matchAll(/^(?:import|export|\})(?:[^'\n]*\bfrom)? '([^']+)'|\bimport\('([^']+)'\)/gm);
    return [name, [...imports].map(([, specifier, loaded = '']) => specifier ?? loaded)] as const;
  });
  const imports = new Map(await Promise.all(found));
  expect(imports.size).toBeGreaterThan(0);
  return imports;
}
/** The file of the same package that an import leads to. */
const target = (file: string, specifier: string) => join(file, '..', specifier).replace(/\.js$/, '.ts');

test.for(Object.entries(folders))('%s uses only the packages it may use', async ([folder, allowed]) => {
  const used = [...(await importsOf(folder))].flatMap(([file, specifiers]) =>
    specifiers.flatMap((specifier) => {
      const name = /^@vehicle-data\/(.+)/.exec(specifier)?.[1];
      const may = name === undefined || allowed.some((one) => name === one || name.startsWith(`${one}/`));
      return may ? [] : `${file} uses ${name}`;
    }),
  );
  expect(used).toEqual([]);
  const manifest = JSON.parse(await readFile(join(repository, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@vehicle-data/'));
  expect(own.toSorted()).toEqual(allowed.map((name) => `@vehicle-data/${name.split('/', 1)[0]}`));
});

// Files and terminals need Node.
const needNode = new Set(['packages/archive', 'packages/cli']);
const portable = Object.keys(folders).filter((folder) => !needNode.has(folder));
const portableEntries = portable.flatMap((folder) =>
  (folder === 'apps/proxy' ? ['index.ts', 'worker.ts'] : ['index.ts']).map((entry) => [folder, entry] as const),
);

test.for(portableEntries)('nothing that %s/src/%s reaches needs Node', async ([folder, entry]) => {
  const imports = await importsOf(folder);
  expect(imports.has(entry)).toBe(true);
  const reached = new Set([entry]);
  // A set is iterated in the order of insertion, what is added meanwhile included.
  for (const file of reached) {
    const specifiers = imports.get(file) ?? [];
    const ofNode = specifiers.filter((specifier) => specifier.startsWith('node:'));
    expect(ofNode, file).toEqual([]);
    for (const specifier of specifiers) if (specifier.startsWith('.')) reached.add(target(file, specifier));
  }
});

test('the SDK imports openapi-fetch and nothing else', async () => {
  const imports = [...(await importsOf('packages/client')).values()].flat();
  expect(new Set(imports.filter((specifier) => !specifier.startsWith('.')))).toEqual(new Set(['openapi-fetch']));
});
