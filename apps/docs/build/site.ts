import { readFile } from 'node:fs/promises';
import { errorCatalogue, operations as operationTable } from '@vehicle-data/openapi';
import { readChanges } from './changelog.ts';
import type { Contract } from './contract.ts';
import { errorPage, errorTable } from './errors.ts';
import { drawFigures } from './figures/draw-figures.ts';
import { figureFile, figureInPage } from './figures/svg.ts';
import { readGuides, readMenu } from './guides.ts';
import { plainMarkdown, withSiteLinks } from './links.ts';
import { llmsFullTxt, llmsTxt } from './llms.ts';
import { anchorOf, firstSentence, table } from './markdown.ts';
import { operationPage, unitTables } from './operations.ts';
import type { Page } from './page.ts';
import { sdkPages } from './sdk-reference.ts';
import { searchRecords } from './search.ts';

/** Texts by file name. */
export type SiteFiles = Readonly<Record<string, string>>;

interface MenuItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly MenuItem[];
}

/** Everything that VitePress turns into the site. */
export interface Site {
  /** Sources of the HTML pages. */
  readonly pages: SiteFiles;
  /** Files that the site serves as they are. */
  readonly files: SiteFiles;
  readonly menu: {
    readonly title: string;
    readonly version: string;
    readonly sidebar: readonly MenuItem[];
    readonly moved: Readonly<Record<string, string>>;
  };
}

export async function collectSite(contract: Contract): Promise<Site> {
  const operations = Object.values(operationTable);
  const [menu, figures, changes, css, landing] = await Promise.all([
    readMenu(),
    drawFigures(),
    readChanges(),
    readFile(new URL('../.vitepress/theme/figures.css', import.meta.url), 'utf8'),
    readFile(new URL('../.vitepress/landing.md', import.meta.url), 'utf8'),
  ]);
  const guides = await readGuides(Object.values(menu).flat(), {
    ...changes,
    'error-table': errorTable(errorCatalogue),
    'unit-tables': unitTables(operations, contract),
    ...validatorTables(contract),
    ...Object.fromEntries(
      Object.entries(figures).map(([name, figure]) => [`figure-${name}`, figureInPage(name, figure)]),
    ),
  });
  const operationPages = operations.map((operation) => operationPage(operation, errorCatalogue, contract));
  const errorPages = errorCatalogue.map((entry) => errorPage(entry, errorCatalogue, operations));
  const sdk = sdkPages();
  const pages = [...guides, ...operationPages, ...errorPages, ...sdk];
  const known = new Set(pages.map(({ path }) => path));
  const pageOf = (path: string) => pages.find((page) => page.path === path) as Page;
  const groups: Record<string, readonly Page[]> = Object.fromEntries(
    Object.entries(menu).map(([name, names]) => [name, names.map((guide) => pageOf(`guides/${guide}`))]),
  );
  const byTag = contract.tags.map(
    ({ name }) => [name, operationPages.filter((_, index) => operations[index]?.tag === name)] as const,
  );
  const entry = ({ path, title }: Page): MenuItem => ({ text: title, link: `/${path}/` });
  return {
    pages: {
      'index.md': `---\ntitle: ${contract.info.title}\ntitleTemplate: false\nsidebar: false\naside: false\npageClass: wide\n---\n\n${landing.replace('<!-- figure -->', figureInPage('trip', figures.trip))}`,
      ...Object.fromEntries(pages.map((page) => [`${page.path}/index.md`, source(page, known)])),
    },
    files: {
      'llms.txt': llmsTxt(contract, { ...groups, Operations: operationPages, Errors: errorPages, SDK: sdk }),
      'llms-full.txt': llmsFullTxt(pages),
      'search.json': JSON.stringify(searchRecords(pages)),
      ...Object.fromEntries(pages.map((page) => [`${page.path}.md`, plainMarkdown(page)])),
      ...Object.fromEntries(
        Object.entries(figures).map(([name, figure]) => [`figures/${name}.svg`, figureFile(figure, css)]),
      ),
    },
    menu: {
      title: contract.info.title,
      version: contract.info.version,
      sidebar: Object.entries(groups).map(([text, members]) => ({
        text,
        items: [
          ...(text === 'Reference' ? byTag.map(([tag, tagged]) => ({ text: tag, items: tagged.map(entry) })) : []),
          ...(text === 'Reference' ? sdk.map(entry) : []),
          ...members.map((page) =>
            page.path === 'guides/errors'
              ? { ...entry(page), collapsed: true, items: errorPages.map(entry) }
              : entry(page),
          ),
        ],
      })),
      moved: movedAddresses(pages, operations),
    },
  };
}

/** The source of an HTML page. */
function source(page: Page, known: ReadonlySet<string>): string {
  const { path, title, description, wide } = page;
  const data = {
    title,
    description,
    markdown: `${path}.md`,
    ...(wide ? { aside: false, pageClass: 'wide' } : {}),
  };
  return `---\n${JSON.stringify(data)}\n---\n\n# ${title}\n\n${withSiteLinks(page, known)}\n`;
}

/** Where the fragments of the former one-page docs lead now, in lower case: `error-4002`, `getlocation`, `/errors/4002`. */
function movedAddresses(pages: readonly Page[], operations: readonly { operationId: string; tag: string }[]) {
  const moved = pages.flatMap(({ path, title }) => {
    const [kind, name = ''] = path.split('/');
    if (kind === 'errors')
      return [
        [`error-${name}`, path],
        [`/errors/${name}`, path],
      ];
    if (kind === 'sdk') return [];
    if (kind === 'guides')
      return [
        [`guide-${name}`, path],
        [`/${anchorOf(title)}`, path],
      ];
    const tag = operations.find(({ operationId }) => operationId === name)?.tag ?? '';
    return [
      [name, path],
      [`/${anchorOf(tag)}/${name}`, path],
    ];
  });
  return Object.fromEntries(moved.map(([from = '', to = '']) => [from.toLowerCase(), `${to}/`]));
}

/** What each operation and each component schema adds to `@vehicle-data/validators`. A test compares the names with its exports. */
function validatorTables({ components }: Contract): Readonly<Record<string, string>> {
  return {
    'validators-of-operations': table(
      ['Requests', 'Responses', 'Operation'],
      Object.values(operationTable).map(({ operationId, summary }) => [
        `\`${operationId}Request\``,
        `\`${operationId}Response\``,
        summary,
      ]),
    ),
    'validators-of-schemas': table(
      ['Validator', 'Type guard', 'What it checks'],
      Object.entries(components.schemas).map(([name, { description = '' }]) => [
        `\`${name}\``,
        `\`is${name}\``,
        firstSentence(description).replace(/\.$/, ''),
      ]),
    ),
  };
}
