// Forty questions through the real server on standard input and output, by the SDK's client. UPDATE_DOCS=1 writes the table again.
import { readFile, writeFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createVehicleDataClient } from '@vehicle-data/client';
import { afterAll, expect, it } from 'vitest';
import { kinds, readTruth } from './support/evaluation.ts';
import { program, startWorld } from './support/vds.ts';

const world = await startWorld();
const guide = new URL('../../../docs/agents.md', import.meta.url);
const client = new Client({ name: 'evaluation', version: '1' }, { versionNegotiation: { mode: 'auto' } });
afterAll(() => client.close());

it('an agent gets the true answer to forty questions, and the guide has the table of them', async () => {
  const env = Object.fromEntries(Object.entries(world.env).map(([name, value]) => [name, value ?? '']));
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }));
  // The client checks each result against the schema of the tool only where it knows the tools.
  await client.listTools();
  let calls = 0;
  const call = async (name: string, given: object) => {
    calls += 1;
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...given } });
    if (isError === true) throw new Error(`${name}: ${JSON.stringify(content).slice(0, 300)}`);
    return structuredContent;
  };
  const api = createVehicleDataClient({
    baseUrl: `${world.env['VDS_BASE_URL']}`,
    brand: 'brand_a',
    accessToken: 'demo-access-token',
  });
  const vins = (await api.listVehicles()).vehicles.map(({ vin }) => vin).slice(0, 3);
  const listed = JSON.stringify(await call('list_vehicles', {}));
  const names = listed.match(/(?<="vehicle":")[^"]+/g) ?? [];
  const truths = await Promise.all(vins.map((vin) => readTruth(api, vin)));
  // One conversation after the other, each about one vehicle.
  const results = new Map(kinds.map(({ question }) => [question, { right: 0, calls: 0 }]));
  for (const [index, truth] of truths.entries()) {
    for (const kind of kinds) {
      const expected = kind.truth(truth);
      expect(expected, kind.question).toBeDefined();
      const before = calls;
      const isRight = (await kind.ask(call, names[index] ?? '')) === expected;
      const result = results.get(kind.question);
      if (result === undefined) continue;
      result.calls += calls - before;
      if (isRight) result.right += 1;
    }
  }
  const rows = [...results].map(([question, { right, calls }]): readonly [string, number, number, number] => [
    question,
    truths.length,
    right,
    calls / truths.length,
  ]);
  const { contents } = await client.readResource({ uri: 'vehicle-data://signals' });
  const signals = JSON.parse(contents.map((one) => ('text' in one ? one.text : '')).join(''));
  const unit = signals.powertrain?.['engine.rpm']?.unit;
  rows.push(['In which unit is `engine.rpm`?', 1, unit === 'rpm' ? 1 : 0, 1]);

  expect(rows.reduce((sum, [, asked]) => sum + asked, 0)).toBe(40);
  expect(rows.filter(([, asked, right]) => asked !== right)).toEqual([]);
  const table = [['Question', 'Asked', 'Right', 'Calls each'], ...rows].map((cells) => cells.map(String));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = [table[0] ?? [], widths.map((width) => '-'.repeat(width)), ...table.slice(1)].map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const text = await readFile(guide, 'utf8');
  const [before = '', , after = ''] = text.split(
    /(?<=<!-- table: agent-questions -->\n)([\s\S]*?)(?=<!-- end of table -->)/,
  );
  if (process.env['UPDATE_DOCS']) await writeFile(guide, `${before}\n${lines.join('\n')}\n\n${after}`);
  const cellsOf = (table: string) =>
    table.split('\n').flatMap((line) => (/\d +\|$/.test(line) ? [line.split('|').map((cell) => cell.trim())] : []));
  expect(cellsOf((await readFile(guide, 'utf8')).split('table: agent-questions')[1] ?? '')).toEqual(
    cellsOf(lines.join('\n')),
  );
});
