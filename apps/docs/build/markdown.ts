/** One page of the site. Its Markdown file stands at `path` + `.md`, its HTML at `path` + `/`. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** One sentence for search engines and llms.txt. */
  readonly description: string;
  /** The Markdown below the title. Links lead to Markdown files: `../group/name.md` or, between guides, `name.md`. */
  readonly text: string;
  /** Whether the page uses the whole width, without a list of its sections. */
  readonly wide?: boolean;
  /** Further words under which the search finds the page. */
  readonly keywords?: readonly string[];
  /** Where names in its code lead, seen from the root of the site. Markdown files have none of these links. */
  readonly codeLinks?: Readonly<Record<string, string>>;
}

/** Pages by their group in the menu. */
export type PageGroups = Readonly<Record<string, readonly Page[]>>;

/** A Markdown table without the columns whose cells are all empty. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = head.map((_, index) => index).filter((index) => rows.some((row) => row[index] !== ''));
  const line = (cells: readonly string[]) =>
    `| ${columns.map((index) => (cells[index] ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const fenced = (language: string, text: string) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** JSON for readers: lists of plain values stand on one line, so that a series is seen as a series. */
export function readableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[[{]\n\s+([^[\]{}]*?)\n\s+[\]}]/g, (lines, content: string) => {
    const line = content.replaceAll(/,\n\s+/g, ', ');
    if (lines.startsWith('[')) return `[${line}]`;
    return line.length < 90 ? `{ ${line} }` : lines;
  });
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return /^[^\n]*?\.(?=\s|$)/.exec(text.trim().replaceAll(/\s*\n(?!\n)/g, ' '))?.[0] ?? '';
}

/** The words of a Markdown file, as a reader counts them: without code, markup and the targets of links. */
export const countWords = (markdown: string): number =>
  markdown
    .replaceAll(/^ *```[\s\S]*?^ *```$|<!--[\s\S]*?-->|<[^>]+>/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/[\s|]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
