import { readFile } from 'node:fs/promises';
import { type OperationSpec, operations } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import * as client from '../src/index.js';
import * as query from '../src/query/index.js';
import * as series from '../src/series/index.js';
import * as testing from '../src/testing/index.js';

const reference = await readFile(new URL('../dist/reference.md', import.meta.url), 'utf8');
const methods = await readFile(new URL('../dist/generated/methods.d.ts', import.meta.url), 'utf8');

describe('what an editor shows', () => {
  test.each(Object.values(operations))(
    'of $operationId is its summary, description, parameters and errors',
    (operation) => {
      const { summary, description, parameters, wideEffect }: OperationSpec = operation;
      expect(methods).toContain(`* ${summary}${wideEffect ? ' for one vehicle' : ''}.`);
      expect(methods).toContain(`* ${description}`);
      for (const parameter of parameters) {
        if (parameter.in !== 'header' && !wideEffect)
          expect(methods).toContain(`@param parameters.${parameter.name} ${parameter.description}`);
      }
      expect(methods).toContain('@throws {ConsentError} 5006 No permission to use data');
    },
  );

  test('of the method that stops sharing for one vehicle says nothing about all vehicles', () => {
    const [, own = ''] = /\* Stop data sharing for one vehicle\.([\s\S]*?)readonly stopSharing:/.exec(methods) ?? [];
    const [, parameters = ''] = /interface StopSharingParameters \{([\s\S]*?)\n\}/.exec(methods) ?? [];
    expect(`${own}${parameters}`).toContain('VIN of the one vehicle to stop sharing for.');
    expect(`${own}${parameters}`).not.toMatch(/without|every vehicle|all vehicles/i);
  });

  test('of a trip iterator are its signals with units and ranges', () => {
    expect(methods).toContain('- `engine.oilTemperature`: °C, 0 to 150.5');
    expect(methods).toContain('- `seatbelt.driver`: belted, unbelted');
  });

  test('of a member of a payload is its unit and range', async () => {
    const types = await readFile(new URL('../dist/generated/schemas.d.ts', import.meta.url), 'utf8');
    expect(types).toMatch(/interface LocationRecord \{[\s\S]*Altitude; unit m; range -100 to 10000\./);
  });
});

describe('the link of an error', () => {
  test('leads into the reference, which can be elsewhere', async () => {
    const options = { baseUrl: 'http://127.0.0.1:9/x', brand: 'brand_a', maxRetries: 0 } as const;
    await expect(client.createVehicleDataClient(options).listVehicles()).rejects.toMatchObject({
      docsUrl: 'http://127.0.0.1:9/x/docs/errors/connection-failed/',
    });
    const elsewhere = client.createVehicleDataClient({
      ...options,
      docsUrl: 'https://docs.invalid/cars',
      fetch: async () => Response.json({ error: { code: 'a b' } }, { status: 400 }),
    });
    await expect(elsewhere.listVehicles()).rejects.toMatchObject({
      docsUrl: 'https://docs.invalid/cars/guides/errors/',
    });
  });
});

test('the reference has every export and every method', () => {
  const instance = client.createVehicleDataClient({ baseUrl: 'http://127.0.0.1:1' });
  const ownMethods = Object.entries(instance).filter(([, value]) => typeof value === 'function');
  const names = [client, query, series, testing].flatMap((module) => Object.keys(module));
  for (const name of names) expect(reference).toContain(`\n### ${name}\n`);
  for (const [name] of ownMethods) if (name !== 'with') expect(reference).toContain(`\n#### ${name}\n`);
  expect(reference).toContain('Longest pause before a retry in milliseconds');
});
