import { readFileSync } from 'node:fs';
import { title as siteTitle, summary, version } from './contract.ts';
import type { Page, PageGroups } from './markdown.ts';
import { baseUrl } from './samples.ts';

/** The size of a picture as attributes: with them, a page keeps its room free, and nothing moves when it arrives. */
export function sizeOf(svg: string): string {
  const [, width, height] = /viewBox="0 0 (\d+) ([\d.]+)"/.exec(svg) ?? [];
  if (width === undefined || height === undefined) throw new Error('a picture has no viewBox that begins at 0 0');
  return `width="${width}" height="${height}"`;
}

/** The source of an HTML page: links lead to folders from the root of the site. VitePress stops at a link to nothing. */
export function sourceOf({ path, title, description, wide = false, keywords = [], text }: Page): string {
  const head = {
    title,
    description,
    markdown: `${path}.md`,
    keywords,
    aside: !wide,
    pageClass: wide ? 'wide' : path.startsWith('sdk/') ? 'declarations' : '',
  };
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
  return `# ${title}\n\n${plain.replaceAll(/<a id="[^"]*"><\/a>/g, '')}\n`;
}

const longGuides = [
  'archive',
  'archive-copies',
  'archive-files',
  'battery-voltage',
  'changelog',
  'changelog-archive',
  'changelog-proxy',
  'changelog-sdk',
  'cli',
  'cli-archive',
  'cli-settings',
  'collector',
  'collector-forgets',
  'collector-settings',
  'consent-screen',
  'contract-extensions',
  'faq',
  'glossary',
  'nightly-export',
  'not-specified',
  'other-languages',
  'owners-page',
  'proxy-deploy',
  'proxy-embed',
  'proxy-observability',
  'proxy-settings',
  'sandbox-control',
  'sandbox-tests',
  'sdk-reference',
  'testing-in-ci',
  'trip-facts',
  'trip-log',
  'trip-view',
  'units',
  'validators',
  'versioning',
  'vss',
  'where-is-my-car',
  'your-deployment',
];

/**
 * Pages that the one file for language models names but does not hold: declarations come with the packages, and
 * tutorials, lists of changes and reference tables are longer than what a program needs of them.
 */
export const leftOut = new RegExp(`^sdk/|^guides/(?:${longGuides.join('|')})$`);

/** Text without the padding of its tables and the layout of its JSON. */
const compact = (text: string) =>
  text
    .replaceAll(/ {2,}\|/g, ' |')
    .replaceAll(/-{4,}(?= \|)/g, '---')
    // Every error has a line of its own, and is named elsewhere by its code.
    .replaceAll(/^\| What to do .*\n(?:\|.*\n?)+/gm, (groups) => groups.replaceAll(/\[(`.*?`)\]\(.*?\)[^·|]*/g, '$1 '))
    .replaceAll(
      /^(```json\n)([\s\S]*?)(?=^```)/gm,
      (_, fence, json) => `${fence}${json.replaceAll(/\n\s*/g, ' ').trim()}\n`,
    )
    .replaceAll(/^\| Code \| HTTP \| Meaning .*\n(?:\|.*\n?)+/gm, '')
    .replaceAll(/^!\[.*\]\(.*\)\n\n/gm, '');

/** The page of an error as one line. */
function errorLine({ path, title, text }: Page): string {
  const [, cause = '', fix = ''] = /^## Cause\n\n(.+)\n\n## Fix\n\n(.+)$/m.exec(text) ?? [];
  const [, facts] = /^(HTTP \d+) · .*$/m.exec(text) ?? [];
  return `- [${title}](../${path}.md)${facts ? `, ${facts}` : ''}: ${cause} Fix: ${fix}`;
}

/** The part of an operation that stands in no other file: its samples in other languages are in its page. */
const withoutOtherSamples = (text: string) => text.replaceAll(/^```(?:ts|python) \[\w+\]\n[\s\S]*?^```\n/gm, '');

/** All guidance in one file. Links are absolute, with the address of the samples. */
export function llmsFullTxt(pages: readonly Page[]): string {
  const link = /\]\((?:\.\.\/([a-z]+)\/)?([\w-]+\.(?:md|svg)(?:#[^)]*)?)\)/g;
  const isError = ({ path }: Page) => path.startsWith('errors/');
  const kept = pages.filter((page) => !leftOut.test(page.path) && !isError(page));
  const errors = {
    path: '',
    title: 'Every error',
    description: '',
    text: pages.filter(isError).map(errorLine).join('\n'),
  };
  const texts = [...kept, errors].map((page) =>
    compact(
      plainMarkdown(page.path.startsWith('operations/') ? { ...page, text: withoutOtherSamples(page.text) } : page),
    ),
  );
  const others = pages
    .filter(({ path }) => leftOut.test(path) && !path.startsWith('sdk/'))
    .map(({ title, path }) => `[${title}](../${path}.md)`);
  const note = `Links and samples use ${baseUrl}, the proxy that \`npm start\` starts. Replace it with the address of yours. Not in this file: ${others.join(', ')}.\n\n`;
  const text = texts.join('\n---\n\n');
  return (note + text).replaceAll(link, (_, group = 'guides', file) => `](${baseUrl}/docs/${group}/${file})`);
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
The guides, operations and errors in one file: [llms-full.txt](/docs/llms-full.txt).

${sections.join('\n\n')}

## Contract

- [openapi.yaml](/docs/openapi.yaml): OpenAPI 3.1, as YAML
- [openapi.json](/docs/openapi.json): OpenAPI 3.1, as JSON
`;
}
