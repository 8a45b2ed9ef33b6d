import { readFileSync } from 'node:fs';
import { title as siteTitle, summary, version } from './contract.ts';
import type { Page, PageGroups } from './markdown.ts';

/** The size of a picture as attributes: with them, a page keeps its room free, and nothing moves when it arrives. */
export function sizeOf(svg: string): string {
  const [, width, height] = /viewBox="0 0 (\d+) ([\d.]+)"/.exec(svg) ?? [];
  if (width === undefined || height === undefined) throw new Error('a picture has no viewBox that begins at 0 0');
  return `width="${width}" height="${height}"`;
}

/** The source of an HTML page: links lead to folders from the root of the site. VitePress stops at a link to nothing. */
export function sourceOf({ path, title, description, wide = false, keywords = [], text }: Page): string {
  const head = { title, description, markdown: `${path}.md`, keywords, aside: !wide, pageClass: wide ? 'wide' : '' };
  const linked = text
    // A picture leads to its file, where it can be enlarged.
    .replaceAll(/!\[([^\]]+)\]\(\.\.(\/pictures\/[^)]+)\)/g, (_, alternative, file) => {
      const svg = readFileSync(new URL(`..${file}`, import.meta.url), 'utf8');
      return `[<img src="${file}" alt="${alternative}" ${sizeOf(svg)}>](${file})`;
    })
    .replaceAll(
      /\]\((?:\.\.\/([a-z]+)\/)?([\w-]+)\.md(#[^)]*)?\)/g,
      (_, group = 'guides', name, anchor = '') => `](/${group}/${name}/${anchor})`,
    );
  return `---\n${JSON.stringify(head)}\n---\n\n# ${title}\n\n${linked}\n`;
}

/** A page as a Markdown file for readers of plain text: without the layout of the HTML page. Code stays as it is. */
export function plainMarkdown({ title, text }: Page): string {
  const plain = text.replaceAll(/^```[\s\S]*?^```$|^(?:<.*>|:::.*)\n+/gm, (found) =>
    found.startsWith('```') ? found : '',
  );
  return `# ${title}\n\n${plain}\n`;
}

/** Whether a page belongs into the one file for language models: READMEs repeat guides, and declarations come with the packages. */
const isGuidance = ({ path }: Page) => !/-readme$|^sdk\//.test(path);

/** All guidance in one file. Links lead from the root of the server: the pages are from several folders. */
export function llmsFullTxt(pages: readonly Page[]): string {
  const link = /\]\((?:\.\.\/([a-z]+)\/)?([\w-]+\.(?:md|svg)(?:#[^)]*)?)\)/g;
  const text = pages.filter(isGuidance).map(plainMarkdown).join('\n---\n\n');
  return text.replaceAll(link, (_, group = 'guides', file) => `](/docs/${group}/${file})`);
}

/** An index for language models (https://llmstxt.org), grouped as the menu is. A server may have it at its root as well. */
export function llmsTxt(groups: PageGroups): string {
  const sections = Object.entries(groups).map(([name, pages]) => {
    const lines = pages.map(({ path, title, description }) => `- [${title}](/docs/${path}.md): ${description}`);
    return `## ${name}\n\n${lines.join('\n')}`;
  });
  return `# ${siteTitle}

> ${summary} Contract version ${version}.

Every request needs the \`Brand\` header. Every request except the vehicle list needs \`Authorization: Bearer <ACCESS_TOKEN>\`.
Decide by \`error.code\`, not by the HTTP status. \`DELETE /v1/vehicles/consent\` without \`vin\` stops sharing for every vehicle of the brand.
The whole text without READMEs and declarations in one file: [llms-full.txt](/docs/llms-full.txt).

${sections.join('\n\n')}

## Contract

- [openapi.yaml](/docs/openapi.yaml): OpenAPI 3.1, as YAML
- [openapi.json](/docs/openapi.json): OpenAPI 3.1, as JSON
`;
}
