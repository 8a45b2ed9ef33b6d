// Writes dist/reference.md from the emitted declarations: every export of every entry point with its documentation.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Declaration, declarationsOf, exportsOf, membersOfDeclaration } from './declarations.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const { name, exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** Every declaration that a module exports, its own and those that it passes on. */
async function exported(file: string): Promise<readonly Declaration[]> {
  const text = await readFile(file, 'utf8');
  const own = declarationsOf(text);
  const passedOn = await Promise.all(
    exportsOf(text).map(async ({ names, from }) => {
      const all = await exported(join(dirname(file), from.replace(/\.js$/, '.d.ts')));
      return names === 'all' ? all : all.filter((one) => names.includes(one.name));
    }),
  );
  return [...own, ...passedOn.flat()];
}

/** A declaration under a heading, with its documentation. */
function section(level: number, { name: symbol, documentation, source }: Declaration): string {
  const text = documentation ? `${documentation}\n\n` : '';
  return `${'#'.repeat(level)} ${symbol}\n\n${text}\`\`\`ts declaration\n${source}\n\`\`\`\n`;
}

const sections = await Promise.all(
  Object.entries(exports).flatMap(async ([path, target]) => {
    if (typeof target === 'string') return '';
    const declarations = await exported(join(folder, target.types));
    const unique = [...new Map(declarations.map((one) => [one.name, one])).values()];
    const entries = unique
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map((declaration) => {
        const isMethods = declaration.source.includes('#private');
        if (!isMethods) return section(3, declaration);
        // The methods of the client: each has a heading of its own.
        const methods = membersOfDeclaration(declaration.source).map((method) => section(4, method));
        return `### ${declaration.name}\n\n${declaration.documentation}\n\n${methods.join('\n')}`;
      });
    return `## ${name}${path.slice(1)}\n\n${entries.join('\n')}`;
  }),
);
const title = `# Reference of ${name}\n\nMade from the declarations of the package: every method, option, hook, error and type.\n\n`;
await writeFile(join(folder, 'dist/reference.md'), title + sections.filter(Boolean).join('\n'));
