import { globSync, statSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '@vehicle-data/openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../openapi/build/run.ts';
import { type App, accessToken, call, repository, startApp, startProgram } from './apps.ts';

const fixture = fileURLToPath(new URL('../fixtures/seventh-operation', import.meta.url));
const commands = 'packages/e2e/fixtures/seventh-operation/commands.ts';
const minutes = 60_000;
/** The libraries, whose declarations are asked about. */
const built = ['validators', 'client'].map((name) => `--filter=@vehicle-data/${name}`);
/** They run from their sources, as in `npm run dev`, with what is made from the contract. */
const generating = ['packages/trip-view', 'packages/cli', 'apps/sandbox'];
/** What the copy begins with. That of the kit, the archive and the proxy holds nothing of the contract. */
const distFolders = '{openapi,packages/*,apps/sandbox,apps/proxy}/dist';
/** Where the build of the docs leaves its pages as Markdown. */
const docsPages = 'apps/docs/.cache/pages/public';
const { maxDays } = operations.getDrivingData.dateRange;
const longer = maxDays + 6;
let copy: Awaited<ReturnType<typeof copyRepository>>;
let sandbox: App;
let proxy: App;
const ends: (() => Promise<void>)[] = [];
const renames: string[] = [];
const rename = () => copy.run('node', 'openapi/build/rename-brands.ts');
const fromSources = () => ['--import', join(copy.folder, 'scripts/from-sources.js')];
/** What commands of `vds` print. */
async function said(...commandLines: readonly (readonly string[])[]): Promise<unknown> {
  const words = commandLines.map((each) => JSON.stringify(each));
  const token = `VDS_ACCESS_TOKEN=${accessToken}`;
  return JSON.parse(await copy.run('env', token, 'node', ...fromSources(), commands, ...words));
}
/** Builds the libraries alone, by the one rule of turbo.json for the build of a package. */
const buildLibraries = () => copy.run('turbo', 'run', 'build', '--only', '--env-mode=loose', ...built);

/** A copy of the repository as it is built, with the dependencies that are installed, that a test may change and build. */
async function copyRepository() {
  const folder = await mkdtemp(join(tmpdir(), 'repository-'));

  const { CI, npm_config_user_agent, TURBO_HASH, ...environment } = process.env;
  const PATH = `${folder}/node_modules/.bin:${dirname(process.execPath)}:${process.env['PATH']}`;
  // The dependencies are those of the repository: pnpm does not install them again.
  const settings = { TURBO_TELEMETRY_DISABLED: '1', pnpm_config_verify_deps_before_run: 'false' };
  const env = { ...environment, ...settings, PATH };
  /** Runs a command of the workspace in the copy, for less time than its test has. */
  const runHere = (command: string, ...args: readonly string[]) =>
    run(command, args, { cwd: folder, env, timeout: 170_000 });

  // Links between packages are relative, so that they lead to the copy. All other packages stay where they are installed.
  const files = `git ls-files -z --cached --others --exclude-standard; find . -maxdepth 3 -name node_modules -prune -print0; printf '%s\\0' ${distFolders}`;
  // Caches are written by programs that run meanwhile.
  const pack = `cd '${repository}' && { ${files}; } | tar -c -f - --null --exclude=.pnpm --exclude=.vite --exclude=.vitest-cache --exclude=.cache -T -`;
  await runHere('bash', '-o', 'pipefail', '-c', `(${pack}) | tar -x -f -`);
  await symlink(`${repository}/node_modules/.pnpm`, `${folder}/node_modules/.pnpm`);
  // Outside of a repository, turbo would take its own outputs for inputs.
  await runHere('git', 'init', '--quiet');
  await runHere('git', 'add', '--all');
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  await runHere('git', ...author, 'commit', '--quiet', '--no-gpg-sign', '--message', 'test: a copy');
  return { folder, run: runHere };
}

/** Replaces a text that must be in a file of the contract. */
async function edit(file: string, from: string | RegExp, to: string): Promise<void> {
  const path = join(copy.folder, 'openapi', file);
  const text = await readFile(path, 'utf8');
  const edited = text.replace(from, to);
  if (edited === text) throw new Error(`openapi/${file} does not contain the text to replace`);
  await writeFile(path, edited);
}

// An overlay with a seventh operation and another name for a brand; in the contract's files, parameters of other types and a longer date
// range. One build of what is made from the contract.
beforeAll(async () => {
  copy = await copyRepository();
  await cp(join(fixture, 'openapi'), join(copy.folder, 'openapi'), { recursive: true });
  await cp(join(fixture, 'overlay.yaml'), join(copy.folder, 'openapi/overlay.yaml'));
  for (const [name, schema] of Object.entries({ mostMs: 'TripLength', detailed: 'Detailed', kind: 'VehicleType' })) {
    const facts = `name: ${name}, in: query, required: false, description: What to return.`;
    const added = `  parameters:\n    - { ${facts}, schema: { $ref: ../components/schemas/${schema}.yaml } }\n`;
    await edit('paths/v1_vehicles_vin_locations.yaml', '  parameters:\n', added);
  }
  await edit('components/dateRanges/TripDays.yaml', `maxDays: ${maxDays}`, `maxDays: ${longer}`);
  await edit('components/parameters/EndDate.yaml', `at most ${maxDays} days`, `at most ${longer} days`);
  // Again, as after a run that broke off.
  for (let times = 0; times < 2; times++) renames.push(await rename());
  await copy.run('node', 'openapi/build/main.ts');
  await buildLibraries();
  await Promise.all(
    generating.map((folder) => copy.run('node', ...fromSources(), join(copy.folder, folder, 'build/generate.ts'))),
  );
  // The tests of the docs compare the HTML of each page with its Markdown.
  await copy.run('node', ...fromSources(), 'apps/docs/build/main.ts', '--markdown');
  const atEnd = (stop: () => Promise<void>) => void ends.push(stop);
  const ofSandbox = join(copy.folder, 'apps/sandbox/src/node.ts');
  sandbox = await startProgram([...fromSources(), ofSandbox, '--port', '0'], {}, atEnd);
  proxy = await startApp('proxy', { VDS_UPSTREAM_URL: sandbox.address }, copy.folder, atEnd);
}, 5 * minutes);
afterAll(async () => {
  for (const end of ends) await end();
  await rm(copy.folder, { recursive: true, force: true });
});

describe('a seventh operation, written in an overlay alone', { timeout: 3 * minutes }, () => {
  test('is accepted by the lint of the contract', async () => {
    expect(await copy.run('sh', '-c', 'cd openapi && node_modules/.bin/redocly lint dist/openapi.yaml 2>&1')).toContain(
      'Your API description is valid',
    );
  });

  const consumer = 'packages/e2e/fixtures/seventh-operation/consumer.ts';

  test('is typed by the client', async () => {
    const options = '--noEmit --strict --module nodenext --target es2023 --skipLibCheck --types node'.split(' ');
    expect(await copy.run('tsc', '--ignoreConfig', ...options, consumer)).toBe('');
  });

  test('is called by the client, checked by the validators, routed and rejected by the proxy, and played by the sandbox', async () => {
    const seen: unknown = JSON.parse(await copy.run('node', consumer, proxy.address));
    const tooLong = 'endDate is 4 days after startDate; at most 3 are allowed';
    const trips = [{ charge: { power: expect.any(Array) } }, expect.anything()];
    const rejection = (detail: object) => ({ status: 400, body: { error: { code: '4002', details: [detail] } } });
    expect(seen).toMatchObject({
      trips,
      iterated: trips,
      query: { mostMs: '7', detailed: 'false', kind: 'EV' },
      tooLong: rejection({ in: 'query', name: 'endDate', reason: tooLong }),
      badBrand: rejection({ in: 'header', name: 'Brand' }),
      request: { ok: false, issues: [{ in: 'query', name: 'endDate', message: tooLong }] },
      played: { ok: true },
      good: { ok: true },
      outOfRange: { ok: false, issues: [{ kind: 'range', pointer: '/data/trips/0/charge/power/0' }] },
      unknownPlug: { ok: false, issues: [{ kind: 'enumeration', pointer: '/data/trips/0/charge/plug/0' }] },
    });
  });

  test('is played for vehicles that share their data alone, for each its own', async () => {
    const charging = (vin: string, brand = 'aurora') =>
      call(sandbox, `${vin}/charging/data?startDate=20260301&endDate=20260302`, brand);
    const { data, meta } = await charging('SANDB0XA000000001');
    expect(meta).toMatchObject({ requestId: 'this-call' });
    expect(await charging('SANDB0XA000000002')).not.toMatchObject({ data });
    const planned = new Array(3).fill({ phases: 3, charge: { power: expect.arrayContaining([null]) } });
    expect(await charging('SANDB0XADIRTY0004')).toMatchObject({ data: { planned } });
    const [neverShared, withdrawn, unknown] = ['SANDB0XA000000005', 'SANDB0XB000000005', 'SANDB0XZ000000001'] as const;
    const rejected = [charging(neverShared), charging(withdrawn), charging(unknown), charging(withdrawn, 'brand_b')];
    expect((await Promise.all(rejected)).map(({ error }) => error?.code)).toEqual(['4101', '4101', '4101', '5006']);
  });

  test('is a series of the command line', async () => {
    expect(await said(['trips', 'list', '--help'])).toEqual([expect.stringContaining('"charging"')]);
  });

  test('is shown by the docs', async () => {
    const page = await readFile(join(copy.folder, docsPages, 'operations/getChargingData.md'), 'utf8');
    expect(page).toContain('Get charging data of a date range');
    expect(page).toContain('Charging power.');
    expect(page).toContain('0 to 350');
    expect(page).toContain('How long the vehicle was plugged in.');
  });
});

test('parameters of other types than text, written under openapi/ alone, go from the command line to the sandbox', async () => {
  const location = ['location', 'SANDB0XA000000001', '--brand', 'aurora', '--base-url', proxy.address];
  const options = [
    ['--most-ms', '7', '--detailed', 'false', '--kind', 'EV'],
    ['--most-ms', 'x'],
    ['--most-ms', '0x7'],
    ['--detailed', 'no'],
    ['--kind', 'XX'],
  ];
  const wholeNumber = 'mostMs must be a whole number';
  const parts = ['latitude', wholeNumber, wholeNumber, 'detailed must be true or false', 'kind must be GN or EV'];
  expect(await said(...options.map((own) => [...location, ...own]))).toEqual(
    parts.map((part) => expect.stringContaining(part)),
  );
});

test('a brand, renamed in an overlay alone, is served by the sandbox, let through by the proxy, and typed; its old name is rejected', async () => {
  expect(renames).toEqual(['renamed brand_a to aurora\n', '']);
  expect(await call(proxy, 'consent', 'aurora')).toHaveProperty('data.vehicles.0.vin');
  expect(await call(proxy, 'consent', 'brand_a')).toMatchObject({
    error: { code: '4002', details: [{ name: 'Brand' }] },
  });
  const types = await readFile(join(copy.folder, 'packages/client/dist/generated/types.d.ts'), 'utf8');
  expect(types).toContain('"aurora"');
  expect(types).not.toContain('"brand_a"');
  const outsideContract = ['components', 'paths', '*.yaml'].map((files) => `:!openapi/${files}`);
  const history = [':!*CHANGELOG.md', ':!*/test/fixtures/version-*/**'];
  const names = await copy.run('git', 'grep', '-hoEw', 'brand_a|aurora', '--', ...outsideContract, ...history);
  expect(new Set(names.trim().split('\n'))).toEqual(new Set(['aurora']));
});

test('a longer date range, written under openapi/ alone, is what the docs say, and no page says the former one', async () => {
  const folder = join(copy.folder, docsPages);
  const pages = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(pages.map((name) => readFile(join(folder, name), 'utf8')));
  expect(texts[pages.indexOf('guides/date-ranges.md')]).toContain(`up to ${longer + 1} calendar days`);
  expect(await readFile(join(folder, 'pictures/date-window.svg'), 'utf8')).toContain(`March ${2 + longer}`);
  const former = new RegExp(`\\b(?:${maxDays}|${maxDays + 1}|seven|eight) (?:calendar )?days\\b`, 'i');
  expect(pages.filter((_, index) => former.test(texts[index] ?? ''))).toEqual([]);
});

test('the cache restores every output that was deleted', { timeout: 3 * minutes }, async () => {
  // One rule says where the build of a package writes, so what holds for these packages holds for all.
  for (const file of globSync('{.,openapi,packages/*,apps/*}/turbo.json', { cwd: copy.folder })) {
    const { tasks }: { tasks: Record<string, { outputs?: unknown }> } = JSON.parse(
      await readFile(join(copy.folder, file), 'utf8'),
    );
    const stating = Object.keys(tasks).filter((task) => /build$/.test(task) && tasks[task]?.outputs !== undefined);
    expect(stating, file).toEqual(file === 'turbo.json' ? ['build'] : []);
  }
  const outputs = 'packages/{validators,client}/{dist,src/generated}';
  const sizes = () =>
    globSync(`${outputs}/**`, { cwd: copy.folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => `${file.slice(copy.folder.length + 1)} ${statSync(file).size}`);
  const before = sizes();
  for (const file of ['packages/client/dist/index.js', 'packages/client/src/generated/types.ts'])
    expect(before).toContainEqual(expect.stringMatching(`^${file} \\d+$`));
  for (const folder of globSync(outputs, { cwd: copy.folder }))
    await rm(join(copy.folder, folder), { recursive: true });
  expect(await buildLibraries()).toContain('FULL TURBO');
  expect(sizes()).toEqual(before);
});

test('npm run update rejects an overlay that does not exist, and options that it does not know', async () => {
  const update = (...args: readonly string[]) => copy.run('node', 'scripts/update.js', ...args);
  await expect(update('--overlay', 'nowhere.yaml')).rejects.toThrow('the overlay nowhere.yaml does not exist');
  await expect(update('--overly', 'x.yaml')).rejects.toThrow(/Unknown option '--overly'.*--overlay FILE/s);
});

test('brands that are renamed and added at once stop the renaming, and so does an enum without a list', async () => {
  await edit('overlay.yaml', 'brand_c]', 'nova, zen]');
  await expect(rename()).rejects.toThrow(/:\n.*; gone names: brand_a, brand_c; new: aurora, nova, zen\n$/);
  await edit('overlay.yaml', 'enum: [', 'anyOf: [');
  await expect(rename()).rejects.toThrow(/:\nopenapi\/.*: enum is no list of names\n$/);
  await edit('overlay.yaml', 'overlay: 1.0.0', 'overlay: 2.0.0');
  await expect(rename()).rejects.toThrow(
    /:\nopenapi\/overlay.yaml#\/overlay: is not a version of the Overlay Specification 1.0\n$/,
  );
});
