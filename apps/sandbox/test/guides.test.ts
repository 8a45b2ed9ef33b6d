import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../src/index.js';
import { brands, control, startCommand } from './calls.js';

const guides = ['sandbox', 'sandbox-control', 'sandbox-tests'].map((name) =>
  readFileSync(new URL(`../../../openapi/guides/${name}.md`, import.meta.url), 'utf8'),
);
const text = guides.join('\n');

/** The cells of every row of the table below a header, without the marks of code. */
function table(header: string): readonly (readonly string[])[] {
  const lines = text.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  const start = lines.findIndex((line) => line.startsWith(`| ${header} |`));
  const rows = lines.slice(start + 2, lines.indexOf('', start)).map((row) => row.split('|').slice(1, -1));
  return rows.map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')));
}

describe('the guides', () => {
  it('lists the fleet and the VINs with dirty data as the control does', async () => {
    const { json } = await control(createSandbox(), 'vehicles', undefined, 'GET');
    const contractBrands: readonly string[] = brands;
    const place = (brand: string) => ['first', 'second', 'third'][contractBrands.indexOf(brand)];
    const fleet = json.vehicles.map(({ vin, brand, type, owner, consent, habit, homeZone }) => {
      return [vin, place(brand), type, owner, consent, habit, homeZone];
    });
    expect(table('VIN | Brand')).toEqual(fleet);
    expect(table('VIN | Kind of dirty data')).toEqual(json.dirtyVins.map(({ vin, kind }) => [vin, kind]));
  });

  it('lists every kind of fault, with the members that it takes', async () => {
    const examples = new Map<string, unknown>(
      Object.entries({ latencyMs: 1, code: '5001', status: 503, retryAfterSeconds: 1 }),
    );
    const rows = table('`kind`');
    for (const [kind, members = ''] of rows) {
      const own = members.split(', ').filter(Boolean);
      const fault = { kind, ...Object.fromEntries(own.map((member) => [member, examples.get(member)])) };
      expect((await control(createSandbox(), 'faults', fault)).json).toEqual({ faults: [fault] });
    }
    const { json } = await control(createSandbox(), 'faults', { kind: 'none' });
    expect(json.error?.details[0]?.reason).toBe(`kind must be ${rows.map(([kind]) => kind).join(', ')}`);
  });

  it('lists the options of the command, and no others', async () => {
    const command = startCommand(['--help']);
    await command.ended;
    const inHelp = [...command.output.stdout.matchAll(/^ {2}(--\S+ \S+)/gm)].map(([, option]) => option);
    expect(table('Option').map(([option]) => option)).toEqual(inHelp);
  });

  it('shows helpers whose samples compile', () => {
    const folder = new URL('generated/', import.meta.url);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const samples = [...text.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, source]) => source ?? '');
    expect(samples.length).toBeGreaterThan(2);
    for (const [index, source] of samples.entries()) writeFileSync(new URL(`sample-${index}.ts`, folder), source);
    // Testcontainers is not installed here; its own types have the same members.
    const container = `declare module 'testcontainers' {
  export class GenericContainer {
    constructor(image: string);
    withExposedPorts(...ports: (number | { container: number; host: number })[]): this;
    withCommand(command: string[]): this;
    start(): Promise<{ getHost(): string; getMappedPort(port: number): number }>;
  }
}`;
    writeFileSync(new URL('testcontainers.d.ts', folder), container);
    const settings = { extends: '../../tsconfig.json', include: ['*.ts'] };
    writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings));
    const { stdout, status } = spawnSync('tsc', ['--singleThreaded', '-p', fileURLToPath(folder)], {
      encoding: 'utf8',
    });
    expect([stdout, status]).toEqual(['', 0]);
  });

  it('lists controls that are there', async () => {
    for (const [entry = ''] of table('Control')) {
      const [method = '', path = ''] = entry.split(' ');
      const response = await createSandbox().fetch(`http://sandbox${path.replace('{owner}', 'demo')}`, { method });
      expect(response.status, entry).not.toBe(404);
    }
  });
});
