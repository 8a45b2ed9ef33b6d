import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { firstSentence } from './markdown.ts';
import type { Page } from './page.ts';

/** What replaces `<!-- generated: NAME -->`, by name. */
export type GeneratedBlocks = Readonly<Record<string, string>>;

const folders = ['../../../openapi/guides/', '../guides/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
// The introduction is the description in the contract.
const notGuides = new Set(['introduction.md']);

/** The guides of each menu group, by file name without `.md`. */
export async function readMenu(): Promise<Readonly<Record<string, readonly string[]>>> {
  return JSON.parse(await readFile(new URL('../guides/menu.json', import.meta.url), 'utf8')) as Record<
    string,
    string[]
  >;
}

/** Reads the guides. A guide that the menu does not name, or that only the menu names, stops the build. */
export async function readGuides(names: readonly string[], blocks: GeneratedBlocks): Promise<readonly Page[]> {
  const files = (await Promise.all(folders.map(async (folder) => (await readdir(folder)).map((name) => folder + name))))
    .flat()
    .filter((file) => file.endsWith('.md') && !notGuides.has(nameOf(file)));
  const found = new Map(files.map((file) => [nameOf(file).replace(/\.md$/, ''), file]));
  const differing = [
    ...names.filter((name) => !found.has(name)),
    ...[...found.keys()].filter((name) => !names.includes(name)),
  ];
  if (differing.length > 0)
    throw new Error(`apps/docs/guides/menu.json and the guides differ: ${differing.join(', ')}`);
  return Promise.all([...found].map(([name, file]) => readGuide(name, file, blocks)));
}

const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1);

async function readGuide(name: string, file: string, blocks: GeneratedBlocks): Promise<Page> {
  const [, title, text] = /^# (.+)\n([\s\S]*)$/.exec(await readFile(file, 'utf8')) ?? [];
  if (title === undefined || text === undefined) throw new Error(`${name}.md does not start with a title`);
  const [, keywords = ''] = /^<!-- keywords: (.+) -->$/m.exec(text) ?? [];
  const filled = text
    .replaceAll(/^<!-- generated: ([a-z-]+) -->$/gm, (_, block: string) => {
      const content = blocks[block];
      if (content === undefined) throw new Error(`${name}.md: there is no generated block "${block}"`);
      return content;
    })
    .replaceAll(/^<!-- (?:table: [a-z-]+|end of table|keywords: .+) -->\n/gm, '')
    .replaceAll(
      /^(```[a-z]+) continues\n([\s\S]*?^```)$/gm,
      `<div class="continues">\n\n*Continues the code above.*\n\n$1\n$2\n\n</div>`,
    )
    // Old addresses of the docs were fragments of one page.
    .replaceAll(/\]\(#error-([a-z0-9-]+)\)/g, '](../errors/$1.md)')
    .replaceAll(/^```\n\n((?:<\/div>\n\n)?```(?:text|json))$/gm, '```\n\nOutput:\n\n$1')
    .trim();
  const description = firstSentence(filled.replaceAll(/<[^>]+>/g, ''));
  return { path: `guides/${name}`, title, description, text: filled, keywords: keywords.split(', ').filter(Boolean) };
}
