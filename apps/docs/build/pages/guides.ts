import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstSentence, type Page } from '../markdown.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** The page of a guide or README. `blocks` replace its lines `<!-- generated: NAME -->`, by name. */
export async function guidePage(file: string, blocks: Readonly<Record<string, string>>): Promise<Page> {
  const isReadme = file.endsWith('/README.md');
  const name = basename(isReadme ? file.replace('/README.md', '-readme') : file, '.md');
  const [, title, text] = /^# (.+)\n([\s\S]*)$/.exec(await readFile(repository + file, 'utf8')) ?? [];
  if (title === undefined || text === undefined) throw new Error(`${file} does not start with a title`);
  const [, keywords = ''] = /^<!-- keywords: (.+) -->$/m.exec(text) ?? [];
  const filled = text
    .replaceAll(/^<!-- generated: ([a-z-]+) -->$/gm, (_, block: string) => {
      const content = blocks[block];
      if (content === undefined) throw new Error(`${file}: there is no generated block "${block}"`);
      return content;
    })
    .replaceAll(/^<!-- .+ -->\n/gm, '')
    .replaceAll('](../../apps/docs/pictures/', '](../pictures/')
    .replaceAll(
      /^(```[a-z]+) continues\n([\s\S]*?^```)$/gm,
      '<div class="continues">\n\n*Continues the code above.*\n\n$1\n$2\n\n</div>',
    )
    .replaceAll(/^```\n\n((?:<\/div>\n\n)?```(?:text|json))$/gm, '```\n\nOutput:\n\n$1')
    .trim();
  return {
    path: `guides/${name}`,
    title,
    description: firstSentence(filled.replaceAll(/<[^>]+>/g, '')),
    // A README links to files of the repository.
    text: isReadme ? filled.replaceAll(/\[([^\]]+)\]\((?:\.\.\/)+[^)]*\)/g, '$1') : filled,
    keywords: keywords.split(', ').filter(Boolean),
    wide: isReadme,
  };
}
