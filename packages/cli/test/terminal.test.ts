// What a person sees on a terminal of 80, 100 and 160 columns: the screen as an emulator draws it, not the bytes that were sent.
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { startProgress } from '../src/output/progress.ts';
import { renderTable, widthOf } from '../src/output/table.ts';
import { firstVin, startWorld, streamsOf, week } from './support/vds.ts';

const world = await startWorld();
const widths = [80, 100, 160] as const;

/** The lines that are on a screen after these bytes, without the empty ones at the end. */
async function screenOf(bytes: string, columns: number): Promise<readonly string[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 60, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(bytes, done));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
  terminal.dispose();
  return lines.join('\n').trimEnd().split('\n');
}

/** A line of `vds` on a terminal. */
async function shownOn(columns: number, line: string): Promise<readonly string[]> {
  const { code, stdout } = await world.screen(line, { columns });
  expect(code).toBe(0);
  return screenOf(stdout, columns);
}

it('a real terminal gets what a run in this process sends', async () => {
  const line = `trips show ${firstVin} ${week} --trip 1`;
  expect(await world.session(`exec vds ${line}`)).toEqual(await world.screen(line));
});

const months = ['January', 'February', 'March'];
const wide = months.map((month, index) => ({
  'seatbelt.assistance': month,
  trips: index * 1000,
  ...Object.fromEntries(Array.from({ length: 30 }, (_, column) => [`column_${column}`, index * 1_000_003])),
}));

describe.each(widths)('on %d columns', (columns) => {
  it('a table shows names and numbers whole, and says which columns have no room', () => {
    const titles = Object.keys(wide[0] ?? {});
    const { text, hidden } = renderTable<Record<string, unknown>>(wide, titles, { width: columns });
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    for (const whole of ['January', 'February', '2000', '2000006']) expect(text).toContain(whole);
    expect(text).not.toContain('…');
    expect(hidden.length).toBeGreaterThan(0);
    expect(titles.slice(-hidden.length)).toEqual(hidden);
  });

  it('the names of signals are whole in the table of a trip', async () => {
    const screen = await shownOn(columns, `trips show ${firstVin} ${week} --trip 1`);
    for (const signal of ['isla.optionUsm ', 'isla.optionUsm2', 'seatbelt.assistance', 'steeringWheel.rotationSpeed'])
      expect(screen.some((shown) => `${shown} `.startsWith(signal))).toBe(true);
  });

  it('progress is one line with bar, count and time left, and goes away', async () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns });
    let nowMs = 0;
    const progress = startProgress({ ...streamsOf(), stderr }, false, () => nowMs);
    const sent: string[] = [];
    stderr.on('data', (chunk: Buffer) => sent.push(String(chunk)));
    for (let done = 1; done <= 100; done++) {
      nowMs += 500;
      progress.update({ windowsDone: done, windowsTotal: 736, trips: 0, bytes: done * 1e6 });
    }
    await once(stderr.end(), 'end');
    // Ctrl-C is echoed where the cursor is.
    const [line = '', ...rest] = await screenOf(`${sent.join('')}^C`, columns);
    expect(rest).toEqual([]);
    expect(line).toMatch(/^=+-+ 100\/736 windows \| 6 min left.*\^C$/);
    expect(line.includes('2.0 windows/s')).toBe(columns > 60);
  });

  it('the report after Ctrl-C stands below the line of progress', async () => {
    const out = join(world.folder, `ctrl-c-${columns}`);
    const line = `export --vehicle ${firstVin} --from 2024-01-01 --to 2026-03-01 --out ${out}`;
    const typed = [['windows', '\u0003']] as const;
    const { code, stdout } =
      columns === widths[0]
        ? await world.session(`stty cols ${columns}; exec vds ${line}`, typed)
        : await world.screen(line, { columns, typed });
    expect(code).toBe(130);
    const screen = await screenOf(stdout, columns);
    expect(screen.some((line) => /^\d+ trips in \d+ windows written to /.test(line))).toBe(true);
    expect(screen.some((line) => /^vds: stopped; the archive is complete up to here/.test(line))).toBe(true);
    expect(screen.join('\n')).not.toMatch(/[=-]{5}/);
  });
});

it('the columns of a table can be chosen, by their titles', async () => {
  const { code, stdout } = await world.screen('--no-color --columns NAME,vin vehicles list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^NAME +VIN\r\n/);
  const wrong = await world.screen('--columns vim vehicles list');
  expect(wrong).toMatchObject({ code: 4, stdout: expect.stringContaining('Did you mean vin') });
});

it.each(widths)('remarks break between words on %d columns, and none is repeated', async (columns) => {
  const text = (await shownOn(columns, `trips list ${firstVin} ${week}`)).join('\n');
  for (const word of ['assumed', 'times', 'derived']) expect(text).toMatch(new RegExp(`\\b${word}\\b`));
  const out = join(world.folder, 'remarks');
  await world.vds(`export --vehicle ${firstVin},SANDB0XA000000002 ${week} --series driving --out ${out}`);
  const screen = (await shownOn(columns, `quality --out ${out}`)).join(' ');
  expect(screen.match(/No room for/g) ?? []).toHaveLength(columns < 160 ? 1 : 0);
});

it('half a time is not shown: what has no room is left out', () => {
  const rows = [{ id: 'x'.repeat(32), start: '2026-03-02 07:43:05.721+00', end: '2026-03-02 08:10:00.000+00', n: 1 }];
  const { text, hidden } = renderTable(rows, ['id', 'start', 'end', 'n'], { width: 80 });
  expect(text).toContain('2026-03-02 07:43:05.721+00');
  expect([text.includes('…'), hidden]).toEqual([false, ['end', 'n']]);
});

it('wide characters, combining marks and emoji take the cells that a terminal gives them', async () => {
  const names = ['가나다라마바사', 'e\u0301e\u0301e\u0301', 'plain', '🚗🚗'];
  const { text } = renderTable(
    names.map((name, index) => ({ name, index })),
    ['name', 'index'],
    { width: 80 },
  );
  const screen = await screenOf(text.replaceAll('\n', '\r\n'), 80);
  const ends = screen.slice(1).map((line) => widthOf(line));
  expect(new Set(ends).size).toBe(1);
});
