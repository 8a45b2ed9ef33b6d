// No engine runs the views for Spark and Trino here; DuckDB runs its own in the tests. The grammars are those of the engines, and take five
// seconds to learn these statements; a grammar does not know whether a function or a type exists.

// Its index loads the grammars of six other engines as well.
import { SparkSQL } from 'dt-sql-parser/dist/parser/spark/index.js';
import { TrinoSQL } from 'dt-sql-parser/dist/parser/trino/index.js';
import { expect, test } from 'vitest';
import { seriesNames } from '../../src/format/series-contract.js';
import { viewTexts } from '../../src/views.js';

const views = viewTexts(new Set(seriesNames), { zoneId: 'UTC', oneSchema: true });

test.each([
  { name: 'views.spark.sql', parser: new SparkSQL() },
  { name: 'views.trino.sql', parser: new TrinoSQL() },
])('a file of views is in the grammar of its engine: $name', ({ name, parser }) => {
  const sql = views.get(name) ?? '';
  expect(parser.validate(sql)).toEqual([]);
  const statements = parser.splitSQLByStatement(sql) ?? [];
  expect(statements).toHaveLength(14);
  // The parser sees a mistake in each.
  for (const { text } of statements) expect(parser.validate(`${text.replace(/;$/, '')} FROM;`)).not.toEqual([]);
});
