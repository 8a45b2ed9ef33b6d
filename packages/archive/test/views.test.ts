import { SparkSQL, TrinoSQL } from 'dt-sql-parser';
import { expect, test } from 'vitest';
import { viewFiles } from '../src/views.js';

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
