import { posix } from 'node:path';
import type { Page } from './page.ts';

const link = /\]\((?!https?:|mailto:)([^)#\s]*\.md)?(#[^)\s]+)?\)/g;

/** The text of a page with links to HTML pages in place of those to Markdown files. */
export function withSiteLinks({ path, text }: Page, known: ReadonlySet<string>): string {
  return text
    .replaceAll('](../pictures/', '](/pictures/')
    .replaceAll(link, (whole, file: string | undefined, anchor = '') => {
      if (file === undefined) return whole;
      const target = posix.join(posix.dirname(path), file).replace(/\.md$/, '');
      if (!known.has(target)) throw new Error(`${path}.md links to ${file}, which is not there`);
      return `](/${target}/${anchor})`;
    });
}

/** A page as a Markdown file for readers of plain text: without the layout of the HTML page. */
export function plainMarkdown({ title, text }: Page): string {
  const plain = text
    .replaceAll(/^<\/?div[^>]*>(?:<\/?div[^>]*>)*\n+/gm, '')
    .replaceAll(/^<[A-Z][^\n]*\/>\n+/gm, '')
    .replaceAll(/^:::+[^\n]*\n/gm, '')
    .replaceAll(/^(```[a-z]+) \[[^\]]*\]$/gm, '$1')
    .replaceAll(
      /<figure[\s\S]*?<!-- file: ([a-z-]+) --><figcaption>([\s\S]*?)<\/figcaption><\/figure>/g,
      '![$2](../figures/$1.svg)',
    );
  return `# ${title}\n\n${plain}\n`;
}
