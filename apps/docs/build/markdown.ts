/** A Markdown table without the columns whose cells are all empty. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = head.map((_, index) => index).filter((index) => rows.some((row) => row[index] !== ''));
  const line = (cells: readonly string[]) =>
    `| ${columns.map((index) => (cells[index] ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const fenced = (language: string, text: string) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** JSON for readers: lists of plain values stand on one line, so that a series is seen as a series. */
export function readableJson(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  const isPlain = (item: unknown) => typeof item !== 'object' || item === null;
  if (isPlain(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    return `[\n${value.map((item) => deeper + readableJson(item, deeper)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value as object);
  if (members.length === 0) return '{}';
  if (members.every(([, member]) => isPlain(member)) && JSON.stringify(value).length < 90)
    return `{ ${members.map(([name, member]) => `"${name}": ${JSON.stringify(member)}`).join(', ')} }`;
  return `{\n${members.map(([name, member]) => `${deeper}"${name}": ${readableJson(member, deeper)}`).join(',\n')}\n${indent}}`;
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return /^[^\n]*?\.(?=\s|$)/.exec(text.trim().replaceAll(/\s*\n(?!\n)/g, ' '))?.[0] ?? '';
}

/** The anchor that repository hosts and this site give a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
