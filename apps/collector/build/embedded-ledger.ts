// Makes the files that an embedded ledger begins with, `dist/embedded-ledger.*`: an empty database of PGlite, which takes a first start several
// seconds to make. Run by the build of this package. The clock stands and chance is not: every build has the same bytes.
import { webcrypto } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const target = 'dist/embedded-ledger';
const require = createRequire(import.meta.url);
const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const pglite: string = dependencies['@electric-sql/pglite'];

// A compiler that is run again after each change need not make them again.
const made = existsSync(`${target}.br`) ? JSON.parse(await readFile(`${target}.json`, 'utf8')) : undefined;
if (made?.pglite !== pglite) await make();

async function make(): Promise<void> {
  stopTimeAndChance();
  const { PGlite } = await import('@electric-sql/pglite');
  const folder = await mkdtemp(join(tmpdir(), 'vds-embedded-'));
  const data = join(folder, 'data');
  await (await PGlite.create(data)).close();
  const found = await readdir(data, { recursive: true, withFileTypes: true });
  const pathOf = (entry: (typeof found)[number]) => join(entry.parentPath, entry.name).slice(data.length + 1);
  const folders = found.filter((entry) => entry.isDirectory()).map(pathOf);
  const files = found.filter((entry) => entry.isFile()).map(pathOf);
  // The three databases of a server are copies of each other: files of one name side by side compress to one.
  const order = (path: string) => `${basename(path)} ${path}`;
  files.sort((one, other) => (order(one) < order(other) ? -1 : 1));
  const contents = await Promise.all(files.map((path) => readFile(join(data, path))));
  const whole = Buffer.concat(contents);
  const compressed = brotliCompressSync(whole, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.byteLength,
    },
  });
  const index = { pglite, folders: folders.sort(), files: files.map((path, at) => [path, contents[at]?.byteLength]) };
  await mkdir('dist', { recursive: true });
  await writeFile(`${target}.br`, compressed);
  await writeFile(`${target}.json`, `${JSON.stringify(index)}\n`);
  await rm(folder, { recursive: true });
}

/** What a database writes down of the moment and by chance: its identifier, and a secret for logins, which nobody makes. */
function stopTimeAndChance(): void {
  const time = Date.UTC(2026, 0, 1);
  const WholeDate = Date;
  globalThis.Date = class extends WholeDate {
    constructor(given: number = time) {
      super(given);
    }
    static override now = () => time;
  } as DateConstructor;
  performance.now = () => 0;
  const fill = <Bytes extends NodeJS.ArrayBufferView>(bytes: Bytes): Bytes => {
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).fill(7);
    return bytes;
  };
  require('node:crypto').randomFillSync = fill;
  Object.defineProperty(webcrypto, 'getRandomValues', { value: fill });
}
