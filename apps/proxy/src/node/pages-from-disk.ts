import { readdir, readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { contentTypeOf, type Pages } from '../response/pages.js';

/** Where the docs site is: in a package of its own, which may be installed beside this one, or in the repository, built by apps/docs. */
function docsFolder(): string {
  try {
    return fileURLToPath(new URL('.', import.meta.resolve('@vehicle-data/docs/index.html')));
  } catch {
    return fileURLToPath(new URL('../../../docs/dist/', import.meta.url));
  }
}

/** Every file of the docs site by its path in the site. The contract is there without the site, too. */
async function filesOnDisk(): Promise<ReadonlyMap<string, string>> {
  const contract = (name: string) => fileURLToPath(import.meta.resolve(`@vehicle-data/openapi/${name}`));
  const files = new Map(['openapi.json', 'openapi.yaml'].map((name) => [name, contract(name)]));
  const folder = docsFolder();
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  for (const name of names) files.set(name.replaceAll(sep, '/'), `${folder}${name}`);
  return files;
}

/** The docs site, read from disk and compressed file by file when somebody first asks for it. Only files that are listed are read. */
export function pagesFromDisk(): Pages {
  let files: Promise<ReadonlyMap<string, string>> | undefined;
  return async (path) => {
    files ??= filesOnDisk();
    const file = (await files).get(path);
    if (file === undefined || !/\.\w+$/.test(path)) return undefined;
    return {
      contentType: contentTypeOf(path),
      gzip: async () => new Uint8Array(await promisify(gzip)(await readFile(file))),
    };
  };
}
