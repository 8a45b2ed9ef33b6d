// CSV of trips in the names, units and types of the COVESA Vehicle Signal Specification.
import { type SeriesName, toVssValue, type VssName, vssNamesOf } from '@vehicle-data/client/series';

/** Columns that are of the trip and the row, and of no signal. */
const headColumns = 6;

/**
 * What `toCsv` of the SDK yields, with the columns of signals converted. No cell has quotes or commas, so that lines can be split.
 * Signals that have no name in VSS are left out.
 */
export async function* vssCsv(series: SeriesName, texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  const names: Readonly<Record<string, VssName | undefined>> = vssNamesOf(series);
  let columns: readonly (VssName | undefined)[] | undefined;
  for await (const text of texts) {
    let converted = '';
    for (const line of text.split('\n').slice(0, -1)) {
      const cells = line.split(',');
      const [head, samples] = [cells.slice(0, headColumns), cells.slice(headColumns)];
      if (columns === undefined) {
        columns = samples.map((title) => names[title.replace(/ \(.*\)$/, '')]);
        const titles = columns.flatMap((name) => (name ? titleOf(name) : []));
        converted += `${[...head, ...titles].join(',')}\n`;
        continue;
      }
      const values = columns.flatMap((name, index) => (name ? cellOf(name, samples[index] ?? '') : []));
      converted += `${[...head, ...values].join(',')}\n`;
    }
    yield converted;
  }
}

const titleOf = ({ path, unit }: VssName) => (unit === null ? path : `${path} (${unit})`);

function cellOf(name: VssName, cell: string): string {
  if (cell === '') return '';
  return `${toVssValue(name, name.values === null ? Number(cell) : cell) ?? ''}`;
}
