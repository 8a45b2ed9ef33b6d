// Links between the files of the repository, as a reader of the repository follows them. Links of the site are in files.test.ts.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { slug } from 'github-slugger';
import { expect, test } from 'vitest';
import { withSiteLinks } from '../build/site-links.ts';
import menu from '../guides/menu.json' with { type: 'json' };

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const markdown = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
const files = execFileSync('git', markdown, { cwd: repository, encoding: 'utf8' }).trim().split('\n');
// VitePress makes the landing page, whose links are those of the site.
const linking = files.filter((file) => existsSync(join(repository, file)) && !file.includes('.vitepress/'));

/** The relative links of a Markdown file, without those in code. */
function linksOf(file: string) {
  const text = read(file).replaceAll(/^```[\s\S]*?^```$/gm, '');
  const found = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  return found.map(([, path = '', part]) => ({ target: path === '' ? file : join(dirname(file), path), part }));
}

/** The parts of a file that a link may name. */
function partsOf(file: string): readonly string[] {
  const text = read(file);
  if (file.endsWith('.md')) return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slug(title));
  if (file === 'openapi/errors.yaml')
    return [...text.matchAll(/^- code: "?([\w-]+)"?$/gm)].map(([, code = '']) => code);
  return [...text.matchAll(/^ {2}operationId: (\w+)$/gm)].map(([, id = '']) => id);
}

test('every link between files of the repository leads to a file and a part that exist', () => {
  const links = linking.flatMap((file) => linksOf(file).map((link) => ({ file, ...link })));
  expect(links.length).toBeGreaterThan(150);
  for (const { file, target, part } of links) {
    expect.soft(existsSync(join(repository, target)), `${target} in ${file}`).toBe(true);
    if (part === undefined || !existsSync(join(repository, target))) continue;
    expect.soft(statSync(join(repository, target)).isFile() && partsOf(target), `#${part} in ${file}`).toContain(part);
  }
});

test('every link of a guide leads to the page of the same thing on the site', () => {
  const codes = new Set<string>(errorCatalogue.map(({ code }) => code));
  for (const file of Object.values(menu).flat()) {
    const onSite = withSiteLinks(file, read(file).replaceAll(/^```[\s\S]*?^```$/gm, ''));
    const pages = [...onSite.matchAll(/\]\((?!https?:)(?!#)([^)\s]+)\)/g)].map(([, page = '']) => page);
    const links = linksOf(file).filter(({ target }) => target !== file);
    expect(pages, file).toHaveLength(links.length);
    for (const [index, { target, part = '' }] of links.entries()) {
      const page = pages[index];
      if (codes.has(part) && target.endsWith('errors.yaml')) expect(page).toBe(`../errors/${part}.md`);
      else if (part in operations) expect(page).toBe(`../operations/${part}.md`);
      else if (target.endsWith('.svg')) expect(page).toMatch(/^\.\.\/pictures\/[\w-]+\.svg$/);
      else expect(page, file).toMatch(/^[\w-]+\.md(#[\w-]+)?$/);
    }
  }
});

test('a guide with a link that no page of the site has stops the build', () => {
  const guide = 'openapi/guides/trips.md';
  const link = (path: string) => withSiteLinks(guide, `See [it](${path}).`);
  expect(() => link('../../docs/safety.md')).toThrow('../../docs/safety.md is on no page of the site');
  expect(link('../errors.yaml#5006')).toBe('See [it](../errors/5006.md).');
  expect(link('../../apps/docs/guides/not-specified.md#general')).toBe('See [it](not-specified.md#general).');
});
