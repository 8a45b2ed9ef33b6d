import type { SearchRecord } from '../.vitepress/theme/search.ts';
import { anchorOf } from './markdown.ts';
import type { Page } from './page.ts';

/** What the search knows of each section of each page. */
export function searchRecords(pages: readonly Page[]): readonly SearchRecord[] {
  return pages.flatMap(({ path, title, text, keywords = [] }) =>
    text.split(/^(?=##+ )/m).map((section) => {
      const [, heading = ''] = /^##+ (.+)$/m.exec(section) ?? [];
      return {
        url: `${path}/${heading === '' ? '' : `#${anchorOf(heading)}`}`,
        title,
        heading: plain(heading),
        keys: heading === '' ? [...keywords, path.slice(path.indexOf('/') + 1)].join(' ') : '',
        text: plain(section.replace(/^##+ .+$/m, '')),
      };
    }),
  );
}

/** The words of a Markdown text. */
const plain = (text: string) =>
  text
    .replaceAll(/<figure[\s\S]*?<\/figure>|<[^>]+>|^:::.*$|^```.*$/gm, ' ')
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/[[\]`*|{}"\\]|---+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
