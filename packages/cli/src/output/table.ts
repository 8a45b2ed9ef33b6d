// Rows as a table that fits a terminal: what does not fit is wrapped, cut or left out, in this order, and never a name, a number or a time.
import stringWidth from 'string-width';
import { didYouMean, usageError } from '../cli-error.js';
import { printable } from './printable.js';

export interface TableColumn<Row> {
  readonly title: string;
  readonly value: (row: Row) => unknown;
  /** Aligned to the right. Default: where the first row has a number. */
  readonly right?: boolean;
}

/** Columns of a table; those that show a member of the rows as it is by the name of the member. */
export type TableColumns<Row> = readonly (TableColumn<Row> | (string & keyof Row))[];

export interface Table {
  readonly text: string;
  /** Titles of the columns that the width leaves no room for. */
  readonly hidden: readonly string[];
}

/** A column as it is printed. */
interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly right: boolean;
  /** The first column says what a row is about, and half a number or time is another one: none of them is cut. */
  readonly isWhole: boolean;
}

const gap = 2;
/** A text that is cut keeps so many cells. */
const leastText = 12;

/** Half a time is another time, as half a number is. */
const isTime = (value: unknown) => value == null || (typeof value === 'string' && /^\d{4}-\d\d-\d\d\b/.test(value));

/** Cells that a terminal gives a text. */
export const widthOf = (text: string): number => stringWidth(text);

/** A line as several, none wider than this: broken at spaces, where there are any. */
export function foldedLine(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const joined = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

/**
 * Rows as a table of at most `width` cells. Titles wrap first, then long texts are cut, then columns on the right are left out.
 * Text of the service is made printable.
 *
 * @param wanted Titles of the columns to show, in this order. Default: all.
 * @throws CliError `usage` where a wanted column is not one of the table
 */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: TableColumns<Row>,
  { width, hasColor = false, wanted }: { width: number; hasColor?: boolean; wanted?: readonly string[] | undefined },
): Table {
  const all = columns.map((column, index) => readColumn(rows, column, index === 0, width));
  const chosen = wanted === undefined ? all : wanted.map((title) => findColumn(all, title));
  const { shown, widths } = layOut(chosen, width);
  const titles = shown.map(({ title }, index) => wrapTitle(title, widths[index] ?? 0));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => fit(text, widths[index] ?? 0, shown[index]?.right ?? false))
      .join(' '.repeat(gap))
      .trimEnd();
  const heads = Array.from({ length: Math.max(0, ...titles.map(({ length }) => length)) }, (_, at) => {
    const head = line(titles.map((lines) => lines[at] ?? ''));
    return hasColor ? `\u001b[1m${head}\u001b[22m` : head;
  });
  const body = rows.map((_, row) => line(shown.map(({ cells }) => cells[row] ?? '')));
  return { text: [...heads, ...body].join('\n'), hidden: chosen.slice(shown.length).map(({ title }) => title) };
}

function readColumn<Row>(
  rows: readonly Row[],
  column: TableColumn<Row> | (string & keyof Row),
  isFirst: boolean,
  width: number,
): Column {
  const { title, value, right } =
    typeof column === 'string' ? { title: column, value: (row: Row) => row[column], right: undefined } : column;
  const values = rows.map(value);
  const isNumeric = right ?? typeof values[0] === 'number';
  return {
    title: printable(title),
    cells: values.map((one) => printable(one, width)),
    right: isNumeric,
    isWhole: isFirst || isNumeric || values.every(isTime),
  };
}

function findColumn(columns: readonly Column[], wanted: string): Column {
  const column = columns.find(({ title }) => title.toLowerCase() === wanted.toLowerCase());
  if (column !== undefined) return column;
  const titles = columns.map(({ title }) => title);
  throw usageError(
    '--columns names a column that the table does not have',
    didYouMean(wanted, titles) ?? `It has: ${titles.join(', ')}`,
  );
}

/** How many columns fit, and how wide each is. At least the first is shown. */
function layOut(columns: readonly Column[], width: number) {
  const contents = columns.map(({ cells }) => Math.max(0, ...cells.map(widthOf)));
  const total = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each, gap * (widths.length - 1));
  const whole = columns.map(({ title }, index) => Math.max(contents[index] ?? 0, widthOf(title)));
  if (total(whole) <= width) return { shown: columns, widths: whole };
  const natural = columns.map(({ title }, index) => Math.max(contents[index] ?? 0, ...pieces(title).map(widthOf)));
  const least = natural.map((each, index) => (columns[index]?.isWhole ? each : Math.min(each, leastText)));
  let count = columns.length;
  while (count > 1 && total(least.slice(0, count)) > width) count--;
  const widths = natural.slice(0, count);
  let over = total(widths) - width;
  while (over > 0) {
    // The widest text gives way first.
    const room = widths.map((each, index) => (each > (least[index] ?? each) ? each : 0));
    const widest = room.indexOf(Math.max(...room));
    if ((room[widest] ?? 0) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over--;
  }
  // One column alone may be wider than the terminal.
  if (count === 1) widths[0] = Math.min(widths[0] ?? 0, width);
  return { shown: columns.slice(0, count), widths };
}

/** Where a title may break: after a space, a dot or an underscore. */
const pieces = (title: string): readonly string[] => title.match(/[^ ._]+[._]?/g) ?? [title];

function wrapTitle(title: string, width: number): readonly string[] {
  if (widthOf(title) <= width) return [title.toUpperCase()];
  const lines: string[] = [];
  for (const piece of pieces(title)) {
    const last = lines.at(-1) ?? '';
    const joined = last === '' || /[._]$/.test(last) ? `${last}${piece}` : `${last} ${piece}`;
    if (lines.length > 0 && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(piece);
  }
  return lines.map((line) => line.toUpperCase());
}

const segmenter = new Intl.Segmenter();

function fit(text: string, width: number, right: boolean): string {
  let shown = text;
  if (widthOf(text) > width) {
    // Cut between the characters that a person sees, each of which may be several code points and take two cells.
    const characters = Array.from(segmenter.segment(text), ({ segment }) => segment);
    while (characters.length > 0 && widthOf(characters.join('')) > width - 1) characters.pop();
    shown = `${characters.join('')}…`;
  }
  const pad = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return right ? `${pad}${shown}` : `${shown}${pad}`;
}
