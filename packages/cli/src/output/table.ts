import { printable } from './printable.js';

export interface TableColumn<Row> {
  readonly title: string;
  readonly value: (row: Row) => unknown;
  /** Aligned to the right. Default: where the first row has a number. */
  readonly right?: boolean;
}

/** Columns of a table; those that show a member of the rows as it is by the name of the member. */
export type TableColumns<Row> = readonly (TableColumn<Row> | (string & keyof Row))[];

/** Rows as a table that fits the width: the widest column gives way first. Text of the service is made printable. */
export function renderTable<Row>(
  rows: readonly Row[],
  wanted: TableColumns<Row>,
  width: number,
  hasColor: boolean,
): string {
  const columns = wanted.map((column): TableColumn<Row> => {
    const { title, value, right } =
      typeof column === 'string' ? { title: column, value: (row: Row) => row[column], right: undefined } : column;
    const [first] = rows;
    return {
      title: printable(title),
      value,
      right: right ?? (first !== undefined && typeof value(first) === 'number'),
    };
  });
  const cells = rows.map((row) => columns.map(({ value }) => printable(value(row), width)));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => lengthOf(line[index] ?? ''))),
  );
  const gaps = 2 * (columns.length - 1);
  while (widths.reduce((sum, each) => sum + each, gaps) > width) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 8) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => fit(text, widths[index] ?? 0, columns[index]?.right ?? false))
      .join('  ')
      .trimEnd();
  const head = line(columns.map(({ title }) => title.toUpperCase()));
  return [hasColor ? `\u001b[1m${head}\u001b[22m` : head, ...cells.map(line)].join('\n');
}

const wide = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/gu;

/** Cells that a terminal gives a text: two for wide East Asian characters and emoji. */
function lengthOf(text: string): number {
  return [...text].length + (text.match(wide)?.length ?? 0);
}

function fit(text: string, width: number, right: boolean): string {
  let shown = text;
  if (lengthOf(text) > width) {
    const characters = [...text];
    while (lengthOf(characters.join('')) > width - 1) characters.pop();
    shown = `${characters.join('')}…`;
  }
  const pad = ' '.repeat(Math.max(0, width - lengthOf(shown)));
  return right ? `${pad}${shown}` : `${shown}${pad}`;
}
