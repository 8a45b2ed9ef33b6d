import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationId, operations } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { exportFixtures } from '../src/index.js';
import { startCommand, temporaryFolder, vin, violations } from './calls.js';

describe('fixtures', () => {
  it('of a month nineteen centuries ago are those of one month', async () => {
    const names: string[] = [];
    for await (const { name } of exportFixtures({ vin, month: '0026-03' })) if (names.push(name) > 12) break;
    expect(names.length).toBeLessThan(13);
  });

  it('are every response about a vehicle in a month, as the contract says', async () => {
    const names: string[] = [];
    for await (const { name, text } of exportFixtures({ vin, month: '2026-02' })) {
      names.push(name);
      const id = (Object.keys(operations) as OperationId[]).find((known) => name.startsWith(known));
      const response = { status: 200, headers: new Headers(), json: JSON.parse(text) };
      expect(id && violations(id, response), name).toEqual([]);
    }
    const expected = Object.values(operations).flatMap(({ operationId, method, dateRange }) => {
      if (method !== 'GET') return [];
      if (dateRange === null) return [`${operationId}.json`];
      const windowDays = dateRange.maxDays + 1;
      const windows = Array.from({ length: Math.ceil(28 / windowDays) }, (_, index) => 20_260_201 + index * windowDays);
      return windows.map((start) => `${operationId}-${start}.json`);
    });
    expect(names.sort()).toEqual(expected.sort());
  });

  it('are written by the command, for a vehicle of another owner, the same as in-process, also when its reader leaves early', async () => {
    const [of, month] = ['SANDB0XB000000004', '2026-03'];
    const exported = async (leaves: boolean) => {
      const folder = temporaryFolder();
      const command = startCommand(['export', '--vin', of, '--month', month, '--out', folder]);
      if (leaves) command.process.stdout.destroy();
      expect([await command.ended, command.output.stderr]).toEqual([0, '']);
      return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
    };
    const fixtures = new Map<string, string>();
    for await (const { name, text } of exportFixtures({ vin: of, month })) fixtures.set(name, text);
    for (const leaves of [false, true]) {
      const files = await exported(leaves);
      expect(files).toHaveLength(fixtures.size);
      for (const { name, text } of files) expect(text === fixtures.get(name), name).toBe(true);
    }
  });
});
