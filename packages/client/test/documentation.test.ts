import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorEntry, errorCatalogue, type OperationSpec, operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { allEntry, bundled, sizeOf } from '../bench/measure.ts';
import * as events from '../src/events/index.js';
import * as facts from '../src/facts/index.js';
import * as client from '../src/index.js';
import * as query from '../src/query/index.js';
import * as series from '../src/series/index.js';
import * as testing from '../src/testing/index.js';
import { clientOf, errorOf, nowhere, vin } from './service.ts';

const built = (path: string) => readFile(new URL(`../dist/${path}`, import.meta.url), 'utf8');
const reference = await built('reference.md');
const methods = await built('generated/methods.d.ts');

describe('what an editor shows', () => {
  test('of an operation is its summary, description, parameters and errors', () => {
    for (const operation of Object.values(operations)) {
      const { operationId, summary, description, parameters, wideEffect }: OperationSpec = operation;
      expect(methods).toContain(`* ${summary}${wideEffect ? ' for one vehicle' : ''}.`);
      expect(methods).toContain(`* ${description}`);
      for (const parameter of parameters) {
        if (parameter.in !== 'header' && !wideEffect)
          expect(methods).toContain(`@param parameters.${parameter.name} ${parameter.description}`);
      }
      const [, errors = ''] = new RegExp(`operation \`${operationId}\`([^]*?)\\*/`).exec(methods) ?? [];
      const isOwn = (entry: ErrorEntry) => entry.origin !== 'proxy' && entry.operations.includes(operationId);
      const own = errorCatalogue.filter(isOwn);
      expect(errors.match(/(?<=@throws {\w+} |; )\d+/g)?.toSorted()).toEqual(own.map(({ code }) => code).toSorted());
    }
    expect(methods).toContain('@throws {ConsentError} 5006 No permission to use data');
  });

  test('of the method that stops sharing for one vehicle says nothing about all vehicles', () => {
    const [, own = ''] = /\* Stop data sharing for one vehicle\.([\s\S]*?)stopSharing:/.exec(methods) ?? [];
    const [, parameters = ''] = /interface StopSharingParameters \{([\s\S]*?)\n\}/.exec(methods) ?? [];
    expect(`${own}${parameters}`).toContain('VIN of the one vehicle to stop sharing for.');
    expect(`${own}${parameters}`).not.toMatch(/without|every vehicle|all vehicles/i);
  });

  test('of signals and members of a payload are units and ranges', async () => {
    expect(methods).toContain('- `engine.oilTemperature`: °C, 0 to 150.5');
    expect(methods).toContain('- `seatbelt.driver`: belted, unbelted');
    const types = await built('generated/schemas.d.ts');
    expect(types).toMatch(/interface LocationRecord \{[\s\S]*Altitude; unit m; range -100 to 10000\./);
  });
});

test.each([
  { options: {}, docsUrl: `${nowhere}/x/docs/errors/connection-failed/` },
  { options: { docsUrl: 'https://docs.invalid' }, docsUrl: 'https://docs.invalid/errors/connection-failed/' },
])(
  'the link of an error leads to its page in the reference: of a client with $options',
  async ({ options, docsUrl }) => {
    const fetch = () => Promise.reject(new TypeError());
    const client = clientOf(`${nowhere}/x`, { maxRetries: 0, fetch, ...options });
    expect(await errorOf(client.listVehicles())).toHaveProperty('docsUrl', docsUrl);
  },
);

test('the reference has every export, types too, and every method', async () => {
  const ownMethods = Object.entries(clientOf(nowhere)).filter(([, value]) => typeof value === 'function');
  const values = [client, events, facts, query, series, testing].flatMap((module) => Object.keys(module));
  const entries = [
    'index',
    'events/index',
    'facts/index',
    'query/index',
    'series/index',
    'testing/index',
    'generated/methods',
    'generated/schemas',
  ];
  const declared = (await Promise.all(entries.map((path) => built(`${path}.d.ts`)))).join('\n');
  const exported = [...declared.matchAll(/^export (?:(?:type )?\{(.*)\}|(?:interface|type) (\w+))/gm)];
  const types = exported.flatMap(([, list, name = '']) => list?.match(/\b(?!type\b)\w+/g) ?? name);
  expect(types.length).toBeGreaterThan(100);
  for (const name of [...values, ...types]) expect(reference).toContain(`\n### ${name}\n`);
  for (const [name] of ownMethods) if (name !== 'with') expect(reference).toContain(`\n#### ${name}\n`);
  expect(reference).toContain('Largest response in bytes, after decompression');
});

// A contract that grows takes its room: an operation is an entry of the table and a few error codes.
const further = 80 * Math.max(0, Object.keys(operations).length - 6);
// And a series is a table of its signals.
const furtherSeries = 300 * (Object.values(operations).filter(({ series }) => series).length - 2);

// Bundlers leave out the names of VSS where nobody converts to them.
const allSeries = `export { ${Object.keys(series).filter((name) => !/vss/i.test(name))} } from './series/index.js';`;
const withVss = "export * from './series/index.js';";
test.each([
  {
    story: 'every export of the main entry, openapi-fetch included',
    entry: allEntry,
    inOneFile: false,
    most: 14_000 + further,
  },
  {
    story: 'the main entry with trips, sync and raw in one file',
    entry: allEntry,
    inOneFile: true,
    most: 17_000 + further,
  },
  {
    story: 'the series with the signals of the contract',
    entry: allSeries,
    inOneFile: false,
    most: 3_400 + furtherSeries,
  },
  {
    story: 'the series with the writer of CSV in one file',
    entry: allSeries,
    inOneFile: true,
    most: 4_100 + furtherSeries,
  },
  { story: 'the series with the names of VSS', entry: withVss, inOneFile: false, most: 4_850 + 2 * furtherSeries },
  {
    story: 'facts and moments, with what they need of the series',
    entry: "export * from './facts/index.js';",
    inOneFile: false,
    most: 7_000,
  },
  {
    story: 'the receiver of events',
    entry: "export { verifyEvent } from './events/index.js';",
    inOneFile: false,
    most: 1_500,
  },
  { story: 'the query options', entry: "export * from './query/index.js';", inOneFile: false, most: 1_100 },
])('an import is at most its size, minified and gzipped: $story', async ({ entry, inOneFile, most }) => {
  const bytes = await sizeOf(entry, { inOneFile });
  expect(bytes).toBeGreaterThan(100);
  expect(bytes).toBeLessThanOrEqual(most);
});

describe('the main entry, bundled and minified without the files beside it,', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'main-entry-'));
  const program = join(folder, 'index.mjs');
  await writeFile(program, await bundled(allEntry));
  const bundle = (await import(/* @vite-ignore */ program)) as typeof client;
  await rm(folder, { recursive: true });

  test('has every class of errors under its name', () => {
    const classes = Object.entries(bundle).filter(([name]) => /^[A-Z]/.test(name));
    expect(classes.length).toBeGreaterThan(12);
    for (const [name, type] of classes) expect(Reflect.construct(type, ['text', {}])).toHaveProperty('name', name);
  });

  test('ends a call of a part that cannot be loaded with a ConnectionError', async () => {
    const { trips } = bundle.createVehicleDataClient({ baseUrl: nowhere, brand: 'brand_a' });
    const message = expect.stringMatching('a part of this package cannot be loaded');
    const facts = { name: 'ConnectionError', code: 'part-not-loaded', isTemporary: false, message };
    expect(await errorOf(trips.driving({ vin, from: '20260101', to: '20260101' }).next())).toMatchObject(facts);
  });
});
