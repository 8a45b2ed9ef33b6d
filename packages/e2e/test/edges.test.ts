import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { repository } from './apps.ts';

// Who may use whom. At run time the published SDK and validators stand alone; the apps use the contract and the validators.
const folders: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  'packages/kit': [],
  'packages/validators': [],
  'packages/client': [],
  'packages/trip-view': ['archive/format', 'client/facts', 'client/series'],
  'packages/archive': ['client/series'],
  'packages/cli': ['archive', 'client', 'trip-view'],
  'apps/collector': ['archive', 'client', 'openapi'],
  'apps/proxy': ['openapi', 'validators'],
  'apps/sandbox': ['openapi', 'trip-view', 'validators'],
};

const permitted = Object.entries(folders).map(([folder, allowed]) => ({ folder, allowed }));
test.for(permitted)('a package uses only those it may use: $folder', async ({ folder, allowed }) => {
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

test('each module of the kit is used by two packages at least, or it would stand in the one that uses it', async () => {
  const kit = join(repository, 'packages/kit/src');
  const modules = (await readdir(kit, { recursive: true })).filter((name) => name.endsWith('.ts'));
  expect(modules.length).toBeGreaterThan(3);
  const users = Object.keys(folders).map(async (folder) => {
    const source = join(repository, folder, 'src');
    const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(names.map((name) => readFile(join(source, name), 'utf8')));
    return new Set([...texts.join('\n').matchAll(/'#kit\/([^']+)\.js'/g)].map(([, name]) => `${name}.ts`));
  });
  const used = await Promise.all(users);
  expect(modules.filter((name) => used.filter((names) => names.has(name)).length < 2)).toEqual([]);
});

// Files and terminals need Node. Of the archive, what reads and verifies bytes does not.
const needNode = new Set(['packages/kit', 'packages/cli', 'apps/collector']);
const portable = Object.keys(folders).filter((folder) => !needNode.has(folder));
const entries: Readonly<Record<string, readonly string[]>> = {
  'apps/proxy': ['index.ts', 'middleware/index.ts', 'worker.ts'],
  'packages/archive': ['format/index.ts', 'receipts/index.ts'],
  'packages/client': ['index.ts', 'query/index.ts', 'series/index.ts', 'testing/index.ts'],
};
const portableEntries = portable.flatMap((folder) =>
  (entries[folder] ?? ['index.ts']).map((entry) => ({ folder, entry })),
);

test.for(portableEntries)(
  'nothing that a portable entry reaches needs Node: $entry of $folder',
  async ({ folder, entry }) => {
    const entryPoints = [join(repository, folder, 'src', entry)];
    const { metafile } = await build({ entryPoints, bundle: true, packages: 'external', write: false, metafile: true });
    const reached = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(reached).not.toEqual([]);
    expect(reached.filter((path) => path.startsWith('node:'))).toEqual([]);
  },
);

/** The rooms of the proxy from the bottom to the top: a room uses only those that stand before it. A file beside the folders is a room. */
const proxyRooms: readonly string[] = [
  'attempt.ts',
  'sha256.ts',
  'value-at.ts',
  'rate.ts',
  'contract.ts',
  'platform',
  // What a message is.
  'response',
  'request',
  'config.ts',
  'observability',
  'store',
  // Who may do what, and with which token.
  'auth',
  'limits',
  'upstream-token',
  // The way to the upstream and back, and what watches over it.
  'forward',
  'audit',
  'fence',
  'receipts',
  'events',
  // What settings say, in the words of the rooms before.
  'config',
  // All steps in their order, and who reads requests for them.
  'steps',
  'pipeline-parts.ts',
  'pipeline.ts',
  'handle-node.ts',
  'handle-web.ts',
  'app.ts',
  'parts.ts',
  'middleware',
  'create-proxy.ts',
  'index.ts',
  'node-parts.ts',
  // The runtimes.
  'node',
  'node.ts',
  'worker',
  'worker.ts',
];

/** Every import of one folder by another below a source folder; files beside the folders stand for themselves. */
async function importsBetweenRooms(source: string) {
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const specifiers = /\b(?:from|import\(?) ?'(\.{1,2}\/[^']+)\.js'/g;
  const found = names.map(async (file) =>
    [...(await readFile(join(source, file), 'utf8')).matchAll(specifiers)].map(([, specifier = '']) => {
      const used = `${relative(source, join(source, dirname(file), specifier))}.ts`;
      return { file, used, from: folderOf(file), to: folderOf(used) };
    }),
  );
  return (await Promise.all(found)).flat().filter(({ from, to }) => from !== to);
}

const folderOf = (file: string) => (file.includes('/') ? dirname(file) : file);
const roomOf = (file: string) => file.split('/', 1)[0] ?? '';

test('no room of the proxy uses one that stands above it', async () => {
  const source = join(repository, 'apps/proxy/src');
  expect((await readdir(source)).toSorted()).toEqual(proxyRooms.toSorted());
  const imports = await importsBetweenRooms(source);
  const up = imports.filter(({ file, used }) => proxyRooms.indexOf(roomOf(file)) < proxyRooms.indexOf(roomOf(used)));
  expect(imports.length).toBeGreaterThan(100);
  expect(up.map(({ file, used }) => `${file} uses ${used}`)).toEqual([]);
});

/** The rooms of the archive, as those of the proxy. */
const archiveRooms: readonly string[] = [
  'contract.ts',
  'file-layer.ts',
  'has-hash.ts',
  'parquet-internals.ts',
  'vss-csv.ts',
  'windows.ts',
  // What an archive is, for readers without a disk.
  'receipts',
  'format',
  'held-trips.ts',
  'own-files.ts',
  'store',
  'archive-error.ts',
  // Files from trips.
  'parquet-codec.ts',
  'columns.ts',
  'merged-file.ts',
  'parquet-columns.ts',
  'archive-settings.ts',
  'parquet-file.ts',
  'pseudonyms.ts',
  'archive-identity.ts',
  'window-file.ts',
  // The place of an archive on a disk.
  'folder',
  // What is done to it.
  'export',
  'purge.ts',
  'reconcile.ts',
  'verify.ts',
  'quality',
  'backup',
  'merge-months.ts',
  'repair.ts',
  'sql-dialects.ts',
  'views-of-archive.ts',
  'views-of-series.ts',
  'vss-views.ts',
  'views.ts',
  'archive.ts',
  'open.ts',
  // What is published.
  'store.ts',
  'index.ts',
];

test('no room of the archive uses one that stands above it', async () => {
  const source = join(repository, 'packages/archive/src');
  expect((await readdir(source)).toSorted()).toEqual(archiveRooms.toSorted());
  const imports = await importsBetweenRooms(source);
  const up = imports.filter(
    ({ file, used }) => archiveRooms.indexOf(roomOf(file)) < archiveRooms.indexOf(roomOf(used)),
  );
  expect(imports.length).toBeGreaterThan(100);
  expect(up.map(({ file, used }) => `${file} uses ${used}`)).toEqual([]);
});

/** Rooms that stand in the picture: not the leaves that all of them use, nor the lists of exports. */
const isInPicture = (room: string) => !/^(?:attempt|sha256|value-at|rate|index|node-parts)\.ts$/.test(room);

/** A diagram of who uses whom, without the arrows that others imply. */
function pictureOf(imports: Awaited<ReturnType<typeof importsBetweenRooms>>): string {
  const uses = new Map(proxyRooms.filter(isInPicture).map((room) => [room, new Set<string>()]));
  for (const { file, used } of imports)
    if (roomOf(file) !== roomOf(used) && isInPicture(roomOf(used))) uses.get(roomOf(file))?.add(roomOf(used));
  const reaches = (from: string, to: string): boolean =>
    [...(uses.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const id = (room: string) => room.replace(/\W/g, '_');
  const arrows = [...uses].flatMap(([room, used]) => {
    const needed = [...used].filter((one) => ![...used].some((other) => other !== one && reaches(other, one)));
    return needed.sort().map((one) => `  ${id(room)}[${room}] --> ${id(one)}[${one}]`);
  });
  return `flowchart TD\n${arrows.toReversed().join('\n')}`;
}

test('the picture of imports in the architecture of the proxy is that of the source', async () => {
  const path = join(repository, 'apps/proxy/ARCHITECTURE.md');
  const picture = pictureOf(await importsBetweenRooms(join(repository, 'apps/proxy/src')));
  const marked = /(<!-- picture of imports -->\n\n```mermaid\n)[\s\S]*?(\n```)/;
  const text = await readFile(path, 'utf8');
  if (process.env['UPDATE_DOCS'] === '1')
    await writeFile(
      path,
      text.replace(marked, (_, start: string, end: string) => start + picture + end),
    );
  const remedy = 'run: UPDATE_DOCS=1 pnpm --filter @vehicle-data/e2e exec vitest run edges';
  expect(await readFile(path, 'utf8'), remedy).toContain(picture);
});

test.for(['apps/proxy', 'apps/collector', 'apps/sandbox'])(
  'names of the environment stand in config/ of %s, and elsewhere in texts alone',
  async (folder) => {
    const source = join(repository, folder, 'src');
    const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const files = names.filter((name) => roomOf(name) !== 'config');
    expect(files.length).toBeGreaterThan(20);
    const withNames = files.map(async (file) => {
      const code = (await readFile(join(source, file), 'utf8'))
        .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        .replace(/`[^`]*`/g, '``')
        .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/(?:[^/\\\n]|\\.)+\//g, "''");
      return code.includes('VDS_') ? [file] : [];
    });
    expect((await Promise.all(withNames)).flat()).toEqual([]);
  },
);

// What generators have made stands beside what it is made for.
const isMade = (folder: string) => roomOf(folder) === 'generated';

test.for(Object.keys(folders))('no two folders of %s use each other', async (folder) => {
  const imports = (await importsBetweenRooms(join(repository, folder, 'src'))).filter(
    ({ from, to }) => !isMade(from) && !isMade(to),
  );
  const pairs = new Set(imports.map(({ from, to }) => `${from} uses ${to}`));
  const back = imports.filter(({ from, to }) => pairs.has(`${to} uses ${from}`));
  expect(back.map(({ file, used }) => `${file} uses ${used}`)).toEqual([]);
});
