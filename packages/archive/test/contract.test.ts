import { SparkSQL, TrinoSQL } from 'dt-sql-parser';
import { expect, test } from 'vitest';
import { viewFiles } from '../src/views.js';
import { windowsOf } from '../src/windows.js';

const views = new Map(viewFiles(new Set(['driving', 'powertrain'])));

// No engine runs these two files here, DuckDB runs its own. The grammars are those of the engines; a grammar does not know
// whether a function exists.
test.each([
  ['views.spark.sql', new SparkSQL()],
  ['views.trino.sql', new TrinoSQL()],
] as const)('%s is in the grammar of its engine', (name, parser) => {
  const sql = views.get(name) ?? '';
  expect(parser.validate(sql)).toEqual([]);
  const statements = parser.splitSQLByStatement(sql) ?? [];
  expect(statements).toHaveLength(7);
  // The parser sees a mistake in each.
  for (const { text } of statements) expect(parser.validate(`${text.replace(/;$/, '')} FROM;`)).not.toEqual([]);
});

test('windows are as short as the contract wants them, and no longer than eight days', () => {
  const days = (from: string, to: string, maxDays: number) =>
    windowsOf(from, to, Date.UTC(2026, 5, 1), maxDays).map((window) => `${window.from}/${window.to.slice(8)}`);
  expect(days('2026-03-27', '2026-04-01', 3)).toEqual(['2026-03-25/28', '2026-03-29/31', '2026-04-01/04']);
  expect(days('2026-03-01', '2026-03-31', 14)).toEqual(days('2026-03-01', '2026-03-31', 7));
});
