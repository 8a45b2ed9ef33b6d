/** One exported declaration of a `.d.ts` file. */
export interface Declaration {
  readonly name: string;
  /** Text of the documentation comment, as Markdown. */
  readonly documentation: string;
  readonly source: string;
}

/** What a module passes on from another one. */
export interface PassedOn {
  readonly names: 'all' | readonly string[];
  readonly from: string;
}

const head = /^export (?:declare )?(?:abstract )?(?:interface|class|function|const|type) (\w+)/;

/** The declarations of a file that it exports itself: as `tsc` emits them, each starts at the beginning of a line. */
export function declarationsOf(text: string): readonly Declaration[] {
  const found: Declaration[] = [];
  const lines = text.split('\n');
  let comment: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.startsWith('/**')) comment = [];
    if (/^(\/\*\*| \*)/.test(line)) comment.push(line);
    const [, name] = head.exec(line) ?? [];
    if (name !== undefined) {
      const start = index;
      // A declaration of several lines ends where one starts at the margin again.
      while (!endsDeclaration(lines, start, index)) index += 1;
      found.push({ name, documentation: markdownOf(comment), source: lines.slice(start, index + 1).join('\n') });
    }
    if (!/^(\/\*\*| \*)/.test(line)) comment = [];
  }
  return found;
}

function endsDeclaration(lines: readonly string[], start: number, index: number): boolean {
  const line = lines[index] ?? '';
  if (index >= lines.length - 1) return true;
  if (index === start) return line.endsWith(';') || /\{\s*\}$/.test(line);
  return /^\S/.test(line) && /[;}]$/.test(line);
}

function markdownOf(comment: readonly string[]): string {
  const text = comment
    .map((line) =>
      line
        .replace(/^\/\*\* ?/, '')
        .replace(/\s*\*\/$/, '')
        .replace(/^ \* ?/, ''),
    )
    .join('\n')
    .trim();
  return text
    .split(/^(?=@)/m)
    .map((part) => tagMarkdown(part.trim()))
    .join('\n')
    .trim();
}

/** A tag of a documentation comment as Markdown; text without a tag as it is. */
function tagMarkdown(part: string): string {
  const [, tag, rest = ''] = /^@(\w+)\s*([\s\S]*)$/.exec(part) ?? [];
  const [first = '', ...words] = rest
    .replace(/^\{([^}]*)\}/, (_, types: string) => types.replaceAll(' ', ''))
    .split(' ');
  if (tag === undefined) return `${part}\n`;
  if (tag === 'example') return `\n\`\`\`ts declaration\n${rest}\n\`\`\`\n`;
  if (tag === 'param') return `- \`${first}\`: ${words.join(' ')}`;
  if (tag === 'throws') return `- Throws \`${first.replaceAll('|', '` or `')}\` ${words.join(' ')}`;
  return `\n**${tag}** ${rest}`;
}

/** The `export … from` lines of a file. */
export function exportsOf(text: string): readonly PassedOn[] {
  const lists = [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '(\.[^']+)';/gm)];
  return lists.map(([, list = '', from = '']) => ({
    from,
    names:
      list === '*'
        ? 'all'
        : list
            .slice(1, -1)
            .split(',')
            .map((one) => one.trim().replace(/^type /, ''))
            .filter(Boolean),
  }));
}

/** The documented members of a class or interface, each as a declaration of its own. */
export function membersOfDeclaration(source: string): readonly Declaration[] {
  const members = source.matchAll(
    /^ {4}(\/\*\*[\s\S]*?\*\/)\n {4}((?:readonly )?(\w+)\??[(:][\s\S]*?;)(?=\n {4}\S|\n\})/gm,
  );
  return [...members].map(([, comment = '', declaration = '', name = '']) => ({
    name,
    documentation: markdownOf(comment.split('\n').map((line) => line.replace(/^ {4}/, ''))),
    source: declaration.replaceAll(/^ {4}/gm, ''),
  }));
}
