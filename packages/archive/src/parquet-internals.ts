// The one place that reaches into hyparquet-writer, which is pinned to one version. Its public writer visits every sample of a list on
// its own, several times slower; what it lacks is a way to pass values with their levels. `test/readers.test.ts` reads
// what these functions write with DuckDB and compares every value: run it against the next version before the pin moves.
export { writeColumn } from 'hyparquet-writer/src/column.js';
export { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js';
export { writeDictionaryPage } from 'hyparquet-writer/src/dictionary.js';
export { snappyCompress } from 'hyparquet-writer/src/snappy.js';
