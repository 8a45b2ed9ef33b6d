/** The page, of some, that has what was at a fragment of the docs when they were one page; the page that says so if none has it. */
export function pageOfFormer(fragment: string, links: readonly string[]): string {
  const [, name] = /^#(?:error-|guide-|.*\/)?(.+)$/.exec(fragment.toLowerCase()) ?? [];
  return links.find((link) => link.toLowerCase().endsWith(`/${name}/`)) ?? '/404.html';
}
