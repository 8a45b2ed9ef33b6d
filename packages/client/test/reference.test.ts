import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as client from '../src/index.js';
import * as query from '../src/query/index.js';
import * as series from '../src/series/index.js';
import * as testing from '../src/testing/index.js';

const reference = await readFile(new URL('../dist/reference.md', import.meta.url), 'utf8');

test('the reference has every export and every method', () => {
  const instance = client.createVehicleDataClient({ baseUrl: 'http://127.0.0.1:1' });
  const methods = Object.entries(instance).filter(([, value]) => typeof value === 'function');
  const names = [client, query, series, testing].flatMap((module) => Object.keys(module));
  for (const name of names) expect(reference).toContain(`\n### ${name}\n`);
  for (const [name] of methods) if (name !== 'with') expect(reference).toContain(`\n#### ${name}\n`);
  expect(reference).toContain('Longest pause before a retry in milliseconds');
});
