import type { ErrorEntry, OperationSpec } from '../../src/contract.ts';
import type { Guide } from './guides.ts';

/** How Redoc makes an address of a title. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

/** Redoc's address of an operation: its tag and its operationId. */
export function operationRoute({ tag, operationId }: OperationSpec): string {
  return `/${slug(tag)}/${operationId.toLowerCase()}`;
}

/** Short addresses that stay when headings move, and the long ones of Redoc that they lead to. */
export function shortLinks(
  guides: readonly Guide[],
  operations: readonly OperationSpec[],
  errors: readonly ErrorEntry[],
): Readonly<Record<string, string>> {
  const errorGuide = guides.find(({ name }) => name === 'errors');
  return Object.fromEntries([
    ...guides.map(({ name, title }) => [`guide-${name}`, `/${slug(title)}`]),
    ...operations.map((operation) => [operation.operationId, operationRoute(operation)]),
    ...(errorGuide ? errors.map(({ code }) => [`error-${code}`, `/${slug(errorGuide.title)}/${slug(code)}`]) : []),
  ]);
}

/** Turns links between Markdown files of the docs into links inside the page. */
export function linksInPage(text: string, links: Readonly<Record<string, string>>): string {
  return text
    .replaceAll(
      /\]\((?:\.\.\/)?(guides\/|operations\/)?([A-Za-z0-9-]+)\.md(?:#([a-z0-9-]+))?\)/g,
      (whole, kind, name, part) => {
        const route = links[kind === 'operations/' ? name : `guide-${name}`];
        if (route === undefined) throw new Error(`a guide links to ${whole.slice(2, -1)}, which is not there`);
        return `](#${route}${part === undefined ? '' : `/${part}`})`;
      },
    )
    .replaceAll(/\]\(#(error-[a-z0-9-]+)\)/g, (whole, name: string) => {
      const route = links[name];
      if (route === undefined) throw new Error(`the docs link to ${whole.slice(2, -1)}, which is not there`);
      return `](#${route})`;
    });
}
