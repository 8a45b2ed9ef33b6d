import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './apps.ts';

// Who may use whom. At run time the published SDK and validators stand alone; the apps use the contract and the validators.
const rooms: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  'packages/validators': [],
  'packages/client': [],
  'apps/proxy': ['openapi', 'validators'],
  'apps/sandbox': ['openapi', 'validators'],
};

async function importsOf(room: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const source = join(repository, room, 'src');
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

test.for(Object.entries(rooms))('%s uses only the rooms it may use', async ([room, allowed]) => {
  const imports = await importsOf(room);
  expect(imports.size).toBeGreaterThan(0);
  for (const [file, specifiers] of imports) {
    const used = specifiers.flatMap((specifier) => /^@vehicle-data\/([a-z]+)/.exec(specifier)?.[1] ?? []);
    expect(
      used.filter((name) => !allowed.includes(name)),
      file,
    ).toEqual([]);
  }
});

test.for(Object.keys(rooms))('only the runtime files of %s know Node', async (room) => {
  for (const [file, specifiers] of await importsOf(room)) {
    if (file === 'node.ts' || file.startsWith('node/')) continue;
    expect(
      specifiers.filter((specifier) => specifier.startsWith('node:')),
      file,
    ).toEqual([]);
  }
});

test('the SDK imports openapi-fetch and nothing else', async () => {
  const outside = [...(await importsOf('packages/client')).values()]
    .flat()
    .filter((specifier) => !specifier.startsWith('.'));
  expect(new Set(outside)).toEqual(new Set(['openapi-fetch']));
});

test('published packages depend at run time on what their room may use', async () => {
  for (const [room, allowed] of Object.entries(rooms)) {
    const manifest = JSON.parse(await readFile(join(repository, room, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@vehicle-data/'));
    expect(own.toSorted(), room).toEqual(allowed.map((name) => `@vehicle-data/${name}`));
  }
});
