import { readFileSync } from 'node:fs';
import { errorCatalogue } from '@vehicle-data/openapi';
import { describe, expect, it } from 'vitest';
import { fleetVehicles } from '../src/fleet/vehicles.js';
import { createSandbox } from '../src/index.js';
import { reservedVins } from '../src/reserved-vins.js';
import { control } from './ask.js';
import { startCommand } from './start-command.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The cells of every row of the table below a header, without the marks of code. */
function table(header: string): readonly (readonly string[])[] {
  const lines = readme.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  const start = lines.findIndex((line) => line.startsWith(`| ${header} |`));
  const rows = lines.slice(start + 2, lines.indexOf('', start));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('the README', () => {
  it('lists the fleet as it is', () => {
    const places = ['first', 'second', 'third'];
    expect(table('VIN | Brand')).toEqual(
      fleetVehicles.map(({ vin, brandPosition, type, owner, initialConsent, habit, zone }) => [
        vin,
        places[brandPosition],
        type,
        owner,
        initialConsent,
        habit,
        zone,
      ]),
    );
  });

  it('lists the reserved VINs as they are', () => {
    expect(table('VIN | Code')).toEqual(
      reservedVins.map(({ vin, code }) => {
        const entry = errorCatalogue.find((candidate) => candidate.code === code);
        return [vin, code, String(entry?.status), entry?.message];
      }),
    );
  });

  it('lists every kind of fault, with the members that it takes', async () => {
    const examples: Readonly<Record<string, unknown>> = {
      latencyMs: 1,
      code: '5001',
      status: 503,
      retryAfterSeconds: 1,
    };
    const rows = table('`kind`');
    for (const [kind, members = ''] of rows) {
      const own = members.split(', ').filter(Boolean);
      const fault = { kind, ...Object.fromEntries(own.map((member) => [member, examples[member]])) };
      expect((await control(createSandbox(), 'faults', fault)).json).toEqual({ faults: [fault] });
    }
    const { json } = await control(createSandbox(), 'faults', { kind: 'none' });
    expect(json.error.details[0].reason).toBe(`kind must be ${rows.map(([kind]) => kind).join(', ')}`);
  });

  it('lists the options of the command, and no others', async () => {
    const command = startCommand(['--help']);
    await command.ended;
    const inHelp = [...command.output.stdout.matchAll(/^ {2}(--\S+ \S+)/gm)].map(([, option]) => option);
    expect(table('Option').map(([option]) => option)).toEqual(inHelp);
  });

  it('lists controls that are there', async () => {
    for (const [entry = ''] of table('Control')) {
      const [method = '', path = ''] = entry.split(' ');
      const request = new Request(`http://sandbox${path.replace('{owner}', 'demo')}`, { method });
      const answer = await createSandbox().fetch(request);
      expect(answer.status, entry).not.toBe(404);
    }
  });
});
