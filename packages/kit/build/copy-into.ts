// Copies the modules of this package that another one uses into its `dist/kit`: `node ../../packages/kit/build/copy-into.ts`, run in the
// folder of that package before its own compiler. The package names them `#kit/…` and maps that name to the copies, so that what is
// published needs nothing that is not published.
import { copyFile, glob, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../dist', import.meta.url));
const target = 'dist/kit';

/** The modules that files name, with those that these modules need. */
async function modulesNamedIn(sources: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const add = async (name: string): Promise<void> => {
    if (found.has(name)) return;
    found.add(name);
    const text = await readFile(join(built, name), 'utf8');
    for (const [, path = ''] of text.matchAll(/\bfrom '(\.{1,2}\/[^']+)'/g)) await add(join(dirname(name), path));
  };
  for await (const file of glob(sources))
    for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(/'#kit\/([^']+)'/g)) await add(name);
  return found;
}

await rm(target, { recursive: true, force: true });
for (const name of await modulesNamedIn('src/**/*.ts'))
  for (const file of [name, `${name}.map`, name.replace(/\.js$/, '.d.ts')]) {
    await mkdir(dirname(join(target, file)), { recursive: true });
    await copyFile(join(built, file), join(target, file));
  }
