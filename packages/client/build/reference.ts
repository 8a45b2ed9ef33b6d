// Writes dist/reference.md from the emitted declarations: every export of every entry point with its documentation.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One exported declaration of a `.d.ts` file, or a documented member of one. */
interface Declaration {
  readonly name: string;
  /** Text of the documentation comment, as Markdown. */
  readonly documentation: string;
  readonly source: string;
}

const folder = fileURLToPath(new URL('..', import.meta.url));
const { name, exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** Every declaration that a module exports, its own and those that it passes on. */
async function exported(file: string): Promise<readonly Declaration[]> {
  const text = await readFile(file, 'utf8');
  // As `tsc` emits them, each statement starts at the margin, after its comment.
  const own = text
    .split(/(?<!\*\/)\n(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?[a-z]|\/\/)/)
    .flatMap((statement): Declaration[] => {
      const [, comment = '', source = '', symbol = ''] =
        /^(\/\*\*[\s\S]*?\*\/\n)?(export (?:declare )?(?:interface|class|function|const|type) (\w+)[\s\S]*)$/.exec(
          statement,
        ) ?? [];
      return symbol ? [{ name: symbol, documentation: markdownOf(comment), source: source.trim() }] : [];
    });
  const passedOn = await Promise.all(
    [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '(\.[^']+)';/gm)].map(async ([, list = '', from = '']) => {
      const all = await exported(join(dirname(file), from.replace(/\.js$/, '.d.ts')));
      const names: readonly string[] = list.match(/\w+(?=[ ,}])/g) ?? [];
      return list === '*' ? all : all.filter((one) => names.includes(one.name));
    }),
  );
  return [...own, ...passedOn.flat()];
}

function markdownOf(comment: string): string {
  const text = comment
    .replace(/^ *\/\*\* ?/, '')
    .replace(/\s*\*\/\s*$/, '')
    .replaceAll(/^ *\* ?/gm, '');
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

/** A declaration under a heading, with its documentation. Each method of the client has a heading of its own. */
function section(level: number, { name: symbol, documentation, source }: Declaration): string {
  const head = `${'#'.repeat(level)} ${symbol}\n\n${documentation ? `${documentation}\n\n` : ''}`;
  if (!symbol.endsWith('Methods')) return `${head}\`\`\`ts declaration\n${source}\n\`\`\`\n`;
  const members = source.matchAll(
    /^ {4}(\/\*\*[\s\S]*?\*\/)\n {4}((?:readonly )?(\w+)\??[(:][\s\S]*?;)(?=\n {4}[\w/]|\n\})/gm,
  );
  const methods = [...members].map(([, comment = '', declaration = '', method = '']) =>
    section(level + 1, {
      name: method,
      documentation: markdownOf(comment),
      source: declaration.replaceAll(/^ {4}/gm, ''),
    }),
  );
  return head + methods.join('\n');
}

const sections = await Promise.all(
  Object.entries(exports).flatMap(async ([path, target]) => {
    if (typeof target === 'string') return '';
    const declarations = await exported(join(folder, target.types));
    const unique = [...new Map(declarations.map((one) => [one.name, one])).values()];
    const entries = unique.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map((one) => section(3, one));
    return `## ${name}${path.slice(1)}\n\n${entries.join('\n')}`;
  }),
);
const title = `# Reference of ${name}\n\nMade from the declarations of the package: every method, option, hook, error and type.\n\n`;
await writeFile(join(folder, 'dist/reference.md'), title + sections.filter(Boolean).join('\n'));
