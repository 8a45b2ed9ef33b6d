import { readdir, readFile } from 'node:fs/promises';

/** One guide: a Markdown file under guides/, without its title. */
export interface Guide {
  /** File name without `.md`; its address in every form of the docs. */
  readonly name: string;
  /** The first line, without the `# `. */
  readonly title: string;
  /** Everything below the title, with generated blocks filled in. */
  readonly text: string;
}

/** What stands in place of `<!-- generated: NAME -->`, by name. */
export type GeneratedBlocks = Readonly<Record<string, string>>;

// The introduction is the contract's own description, not a guide.
const notGuides = new Set(['introduction.md']);

/** Reads the guides in the order of guides/contents.json. A guide that is missing there, or stands there only, stops the build. */
export async function readGuides(folder: string, blocks: GeneratedBlocks): Promise<readonly Guide[]> {
  const names = JSON.parse(await readFile(`${folder}/guides/contents.json`, 'utf8')) as readonly string[];
  const files = (await readdir(`${folder}/guides`)).filter((file) => file.endsWith('.md') && !notGuides.has(file));
  const differing = [
    ...names.filter((name) => !files.includes(`${name}.md`)),
    ...files.map((file) => file.replace(/\.md$/, '')).filter((name) => !names.includes(name)),
  ];
  if (differing.length > 0)
    throw new Error(`openapi/guides/contents.json and the files beside it differ: ${differing.join(', ')}`);

  const unused = new Set(Object.keys(blocks));
  const guides = await Promise.all(
    names.map(async (name) => {
      const source = await readFile(`${folder}/guides/${name}.md`, 'utf8');
      const [, title, text] = /^# (.+)\n([\s\S]*)$/.exec(source) ?? [];
      if (title === undefined || text === undefined) throw new Error(`openapi/guides/${name}.md: starts with no title`);
      const filled = text.replaceAll(/^<!-- generated: ([a-z-]+) -->$/gm, (_, block: string) => {
        const content = blocks[block];
        if (content === undefined) throw new Error(`openapi/guides/${name}.md: there is no generated block "${block}"`);
        unused.delete(block);
        return content;
      });
      return { name, title, text: plain(filled).trim() };
    }),
  );
  if (unused.size > 0) throw new Error(`no guide shows the generated block ${[...unused].join(', ')}`);
  return guides;
}

/**
 * Without what is meant for tests alone: the marks around tables that they keep true, and words behind a fence's language. A block
 * that shows what the one before it prints is named so.
 */
function plain(text: string): string {
  return text
    .replaceAll(/^<!-- (?:table: [a-z-]+|end of table) -->\n/gm, '')
    .replaceAll(/^(```[a-z]+) [a-z ]+$/gm, '$1')
    .replaceAll(/^```\n\n(```(?:text|json))$/gm, '```\n\nOutput:\n\n$1');
}
