// Links of guides lead to files of the repository, where readers of the repository follow them. On the site they lead
// to the pages that are made from those files.
import { basename, dirname, join } from 'node:path/posix';
import menu from '../guides/menu.json' with { type: 'json' };

/** The name of the page of a guide, in the folder `guides` of the site. */
export const guideName = (file: string) => basename(file, '.md');

const guides = new Set(Object.values(menu).flat());

/** Where a file of the repository, with the part that is meant, is on the site, seen from a guide; undefined where it is not. */
function pageOf(file: string, part: string): string | undefined {
  if (guides.has(file)) return `${guideName(file)}.md${part && `#${part}`}`;
  if (file === 'openapi/errors.yaml') return `../errors/${part}.md`;
  if (/^openapi\/paths\/[^/]+\.yaml$/.test(file)) return `../operations/${part}.md`;
  return file.startsWith('apps/docs/pictures/') ? file.replace('apps/docs', '..') : undefined;
}

/**
 * The text of a guide with the links of the site.
 *
 * @throws Error at a link that leads to no page.
 */
export function withSiteLinks(file: string, text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$|\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(?:#([^)\s]*))?\)/gm, replaceLink);

  function replaceLink(found: string, words: string | undefined, path = '', part = ''): string {
    if (words === undefined) return found;
    const page = pageOf(join(dirname(file), path), part);
    if (page !== undefined) return `[${words}](${page})`;
    throw new Error(`${file}: ${path} is on no page of the site`);
  }
}
