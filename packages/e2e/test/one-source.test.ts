import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '@vehicle-data/openapi';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from './apps.ts';
import { copyRepository } from './repository-copy.ts';

const fixture = fileURLToPath(new URL('../fixtures/seventh-operation', import.meta.url));
const minutes = 60_000;
const { maxDays } = operations.getDrivingData.dateRange;
const longer = maxDays + 6;
let copy: Awaited<ReturnType<typeof copyRepository>>;

/** Replaces a text that must be in a file of the contract. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(copy.folder, 'openapi', file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`openapi/${file} does not contain the text to replace`);
  await writeFile(path, text.replace(from, to));
}

// A seventh operation, another name for a brand, and a longer date range: three changes, and one build of everything.
beforeAll(async () => {
  copy = await copyRepository();
  await cp(join(fixture, 'openapi'), join(copy.folder, 'openapi'), { recursive: true });
  const path = '/v1/vehicles/{vin}/charging/data:\n    $ref: paths/v1_vehicles_{vin}_charging_data.yaml';
  await edit('openapi.yaml', 'paths:\n', `paths:\n  ${path}\n`);
  await edit('components/schemas/Brand.yaml', 'enum: [brand_a,', 'enum: [aurora,');
  await edit('components/schemas/Brand.yaml', 'examples: [brand_a]', 'examples: [aurora]');
  await edit('components/dateRanges/TripDays.yaml', `maxDays: ${maxDays}`, `maxDays: ${longer}`);
  await edit('components/parameters/EndDate.yaml', `at most ${maxDays} days`, `at most ${longer} days`);
  await copy.run('turbo', 'run', 'build');
}, 5 * minutes);
afterAll(() => rm(copy.folder, { recursive: true, force: true }));

describe('a seventh operation, written under openapi/ alone', { timeout: 3 * minutes }, () => {
  test('is accepted by the lint of the contract', async () => {
    expect(await copy.run('turbo', 'run', 'lint', '--filter=@vehicle-data/openapi')).toContain(
      'Your API descriptions are valid',
    );
  });

  test('is typed by the client', async () => {
    const consumer = join(copy.folder, 'packages/e2e/fixtures/seventh-operation/consumer.ts');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--skipLibCheck',
      '--types',
      'node',
    ];
    expect(await copy.run('tsc', '--ignoreConfig', ...options, consumer)).toBe('');
  });

  test('is called by the client, checked by the validators, and routed, rejected and forwarded by the proxy', async () => {
    const upstreamPort = await getPort();
    const proxy = await startApp('proxy', { VDS_UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}` }, copy.folder);
    const consumer = join(copy.folder, 'packages/e2e/fixtures/seventh-operation/consumer.ts');
    const seen: unknown = JSON.parse(await copy.run('node', consumer, proxy.address, String(upstreamPort)));
    const tooLong = 'endDate is 4 days after startDate; at most 3 are allowed';
    const forwarded = 'GET /v1/vehicles/SANDB0XA000000001/charging/data?startDate=20260301&endDate=20260304';
    expect(seen).toMatchObject({
      power: [7.4, 11],
      plug: ['ac', 'ac'],
      iterated: ['2026-03-02T06:41:07.000Z'],
      tooLong: {
        status: 400,
        body: { error: { code: '4002', details: [{ in: 'query', name: 'endDate', reason: tooLong }] } },
      },
      badBrand: { status: 400, body: { error: { code: '4002', details: [{ in: 'header', name: 'Brand' }] } } },
      request: { ok: false, issues: [{ in: 'query', name: 'endDate', message: tooLong }] },
      good: true,
      bad: [
        { ok: false, issues: [{ kind: 'range', pointer: '/data/trips/0/charge/power/2' }] },
        { ok: false, issues: [{ kind: 'enumeration', pointer: '/data/trips/0/charge/plug/2' }] },
      ],
    });
    const { reached } = seen as { reached: string[] };
    expect(reached[0]).toContain(forwarded);
    expect(reached.every((line) => line.startsWith('GET /v1/vehicles/SANDB0XA000000001/charging/data?'))).toBe(true);
  });

  test('is a series of the command line', async () => {
    expect(await copy.run('node', 'packages/cli/dist/main.js', 'trips', 'list', '--help')).toContain('"charging"');
  });

  test('is played by the sandbox from its schema, for vehicles that share their data alone', async () => {
    const sandbox = await startApp('sandbox', {}, copy.folder);
    const charging = async (vin: string, brand = 'aurora') => {
      const response = await fetch(
        `${sandbox.address}/v1/vehicles/${vin}/charging/data?startDate=20260301&endDate=20260302`,
        { headers: { Brand: brand, Authorization: 'Bearer demo-access-token', 'X-Request-Id': 'this-call' } },
      );
      return (await response.json()) as { data?: object; meta?: object; error?: { code: string } };
    };
    const played = await charging('SANDB0XA000000001');
    expect(played).toMatchObject({
      data: { trips: [{ charge: { power: expect.any(Array) } }, expect.anything()] },
      meta: { requestId: 'this-call' },
    });
    expect(await charging('SANDB0XA000000002')).not.toMatchObject({ data: played.data });
    const neverShared = 'SANDB0XA000000005';
    const withdrawn = 'SANDB0XB000000005';
    expect((await charging(neverShared)).error?.code).toBe('4101');
    expect((await charging(withdrawn, 'brand_b')).error?.code).toBe('5006');
    expect((await charging(withdrawn)).error?.code).toBe('4101');
    expect((await charging('SANDB0XZ000000001')).error?.code).toBe('4101');
  });

  test('is shown by the docs', async () => {
    const page = await readFile(join(copy.folder, 'apps/docs/dist/operations/getChargingData/index.html'), 'utf8');
    expect(page).toContain('Get charging data of a date range');
    expect(page).toContain('Charging power.');
    expect(page).toContain('0 to 350');
  });
});

describe('a brand, renamed under openapi/ alone', () => {
  test('is served by the sandbox, let through by the proxy, and its old name is rejected', async () => {
    const sandbox = await startApp('sandbox', {}, copy.folder);
    const proxy = await startApp('proxy', { VDS_UPSTREAM_URL: sandbox.address }, copy.folder);
    const list = async (brand: string) => {
      const response = await fetch(`${proxy.address}/v1/vehicles/consent`, { headers: { Brand: brand } });
      return { status: response.status, body: (await response.json()) as unknown };
    };
    expect(await list('aurora')).toMatchObject({
      status: 200,
      body: { data: { vehicles: expect.arrayContaining([expect.anything()]) } },
    });
    expect(await list('brand_a')).toMatchObject({
      status: 400,
      body: { error: { code: '4002', details: [{ name: 'Brand' }] } },
    });
  });

  test('is in the types', async () => {
    const types = await readFile(join(copy.folder, 'packages/client/dist/generated/types.d.ts'), 'utf8');
    expect(types).toContain('"aurora"');
    expect(types).not.toContain('"brand_a"');
  });
});

test('a longer date range, written under openapi/ alone, is what the docs say, and no page says the former one', async () => {
  const dist = join(copy.folder, 'apps/docs/dist');
  const pages = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(pages.map((name) => readFile(join(dist, name), 'utf8')));
  expect(texts[pages.indexOf('guides/date-ranges.md')]).toContain(`up to ${longer + 1} calendar days`);
  expect(await readFile(join(dist, 'pictures/date-window.svg'), 'utf8')).toContain(`March ${2 + longer}`);
  const former = new RegExp(`\\b(?:${maxDays}|${maxDays + 1}|seven|eight) (?:calendar )?days\\b`, 'i');
  expect(pages.filter((_, index) => former.test(texts[index] ?? ''))).toEqual([]);
});

test('the cache restores every output that was deleted', { timeout: 3 * minutes }, async () => {
  const built = [
    'openapi',
    'packages/archive',
    'packages/client',
    'packages/validators',
    'apps/proxy',
    'apps/sandbox',
    'apps/docs',
  ];
  const folders = built.flatMap((name) => [`${name}/dist`, `${name}/src/generated`]);
  const sizes = async () => {
    const files = new Map<string, number>();
    for (const folder of folders) {
      const names = await readdir(join(copy.folder, folder), { recursive: true }).catch(() => []);
      for (const name of names) {
        const entry = await stat(join(copy.folder, folder, name));
        if (entry.isFile()) files.set(`${folder}/${name}`, entry.size);
      }
    }
    return files;
  };
  const before = await sizes();
  expect([...before.keys()]).toContain('apps/docs/dist/index.html');
  expect([...before.keys()]).toContain('openapi/src/generated/types.ts');
  for (const folder of folders) await rm(join(copy.folder, folder), { recursive: true, force: true });
  expect(await copy.run('turbo', 'run', 'build')).toContain('FULL TURBO');
  expect(await sizes()).toEqual(before);
});
