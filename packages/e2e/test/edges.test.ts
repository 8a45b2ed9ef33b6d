import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './apps.ts';

// Who may use whom. At run time the published SDK and validators stand alone; the apps use the contract and the validators.
const folders: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  'packages/validators': [],
  'packages/client': [],
  'packages/trip-view': ['client'],
  'packages/archive': ['client'],
  'packages/cli': ['archive', 'client', 'trip-view'],
  'apps/proxy': ['openapi', 'validators'],
  'apps/sandbox': ['openapi', 'trip-view', 'validators'],
};

async function importsOf(folder: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const source = join(repository, folder, 'src');
  for (const name of await readdir(source, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const text = await readFile(join(source, name), 'utf8');
    // At the start of a line, so that an import in a docstring's example does not count.
    const specifiers = [...text.matchAll(/^(?:import|export|\})(?:[^'\n]*\bfrom)? '([^']+)'/gm)].map(
      (match) => match[1] as string,
    );
    found.set(name, specifiers);
  }
  return found;
}

test.for(Object.entries(folders))('%s uses only the packages it may use', async ([folder, allowed]) => {
  const imports = await importsOf(folder);
  expect(imports.size).toBeGreaterThan(0);
  for (const [file, specifiers] of imports) {
    const used = specifiers.flatMap((specifier) => /^@vehicle-data\/([a-z-]+)/.exec(specifier)?.[1] ?? []);
    expect(
      used.filter((name) => !allowed.includes(name)),
      file,
    ).toEqual([]);
  }
});

/** Files that an entry reaches by imports of its own package, with what each imports from outside. */
function reachedFrom(entry: string, imports: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  const reached = new Map<string, readonly string[]>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const specifiers = imports.get(file);
    if (specifiers === undefined || reached.has(file)) continue;
    reached.set(file, specifiers);
    for (const specifier of specifiers)
      if (specifier.startsWith('.')) open.push(join(file, '..', specifier).replace(/\.js$/, '.ts'));
  }
  return reached;
}

// Files and terminals need Node.
const needNode = new Set(['packages/archive', 'packages/cli']);
const portable = Object.keys(folders).filter((folder) => !needNode.has(folder));
const portableEntries = portable.flatMap((folder) =>
  (folder === 'apps/proxy' ? ['index.ts', 'worker.ts'] : ['index.ts']).map((entry) => [folder, entry] as const),
);

test.for(portableEntries)('nothing that %s/src/%s reaches needs Node', async ([folder, entry]) => {
  const reached = reachedFrom(entry, await importsOf(folder));
  expect(reached.size).toBeGreaterThan(0);
  for (const [file, specifiers] of reached) {
    expect(
      specifiers.filter((specifier) => specifier.startsWith('node:')),
      file,
    ).toEqual([]);
  }
});

test('no two files of the proxy import each other, types included', async () => {
  const imports = await importsOf('apps/proxy');
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) throw new Error(`a cycle: ${[...path, file].join(' > ')}`);
    if (done.has(file)) return;
    for (const specifier of imports.get(file) ?? [])
      if (specifier.startsWith('.')) visit(join(file, '..', specifier).replace(/\.js$/, '.ts'), [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
});

test('the SDK imports openapi-fetch and nothing else', async () => {
  const outside = [...(await importsOf('packages/client')).values()]
    .flat()
    .filter((specifier) => !specifier.startsWith('.'));
  expect(new Set(outside)).toEqual(new Set(['openapi-fetch']));
});

test('published packages depend at run time on what they may use', async () => {
  for (const [folder, allowed] of Object.entries(folders)) {
    const manifest = JSON.parse(await readFile(join(repository, folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@vehicle-data/'));
    expect(own.toSorted(), folder).toEqual(allowed.map((name) => `@vehicle-data/${name}`));
  }
});
