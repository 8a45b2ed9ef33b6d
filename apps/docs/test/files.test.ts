import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { slug } from 'github-slugger';
import { expect, test } from 'vitest';
import { pageOfFormer } from '../.vitepress/former-fragments.ts';
import { countWords } from '../build/markdown.ts';
import { leftOut } from '../build/output.ts';
import { errorsOf } from '../build/pages/errors.ts';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const read = (name: string) => readFile(join(dist, name), 'utf8');
const names = await readdir(dist, { recursive: true });
/** The text of some files by their names. */
const textsOf = async (files: readonly string[]) =>
  new Map(await Promise.all(files.map(async (name) => [name, await read(name)] as const)));
const markdown = await textsOf(names.filter((name) => name.endsWith('.md')));
const pages = await textsOf(names.filter((name) => name.endsWith('index.html') && !/^(?:reference|trip)\//.test(name)));

/** What a browser shows of a piece of HTML without pictures. */
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test('every link of a Markdown file leads to a file and a heading that exist', async () => {
  for (const [name, text] of markdown)
    for (const [whole, path = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const target = path === '' ? name : normalize(join(dirname(name), path));
      const content = await read(target).catch(() => undefined);
      expect(content, `${whole} in ${name}`).toBeDefined();
      const anchors = [...(content ?? '').matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slug(title));
      if (anchor !== undefined) expect(anchors, `${whole} in ${name}`).toContain(anchor);
    }
});

test('every link of an HTML page leads to a page and an anchor that exist', () => {
  for (const [name, text] of pages)
    for (const [whole, path = '', anchor] of text.matchAll(/href="(\/docs\/[^"#]*|(?=#))(?:#([^"]+))?"/g)) {
      const file = path === '' ? name : `${path.slice('/docs/'.length)}${path.endsWith('/') ? 'index.html' : ''}`;
      expect(names, `${whole} in ${name}`).toContain(file);
      const hasAnchor = anchor === undefined || pages.get(file)?.includes(`id="${decodeURIComponent(anchor)}"`);
      expect(hasAnchor, `${whole} in ${name}`).toBe(true);
    }
});

test.for([
  { anchor: 'client-authentication', path: 'guides/proxy-clients/' },
  { anchor: 'upstream-authentication', path: 'guides/proxy-tokens/' },
  { anchor: 'rate-limiting', path: 'guides/proxy-limits/' },
  { anchor: 'cloudflare-workers', path: 'guides/proxy-deploy/' },
  { anchor: 'settings', path: 'guides/proxy-settings/' },
] as const)('a section that the proxy guide had is at the link to its new page: $anchor', ({ anchor, path }) => {
  const entries = pages.get('guides/proxy/index.html')?.match(/<li>.*?<\/li>/gs) ?? [];
  const [entry, ...others] = entries.filter((each) => each.includes(`id="${anchor}"`));
  expect(entry).toContain(`<a href="/docs/${path}"`);
  expect(others).toEqual([]);
});

// That a browser goes there is shown of one: browser.test.ts.
test.for([
  { fragment: 'error-4002', path: 'errors/4002/' },
  { fragment: 'getlocation', path: 'operations/getLocation/' },
  { fragment: '/trips/getDrivingData', path: 'operations/getDrivingData/' },
  { fragment: 'guide-proxy', path: 'guides/proxy/' },
  { fragment: 'no-such-section', path: '404.html' },
] as const)('a former address leads to its page: #$fragment', ({ fragment, path }) => {
  const links = Array.from(pages.keys(), (name) => `/${name.replace(/index\.html$/, '')}`);
  expect(pageOfFormer(`#${fragment}`, links)).toBe(`/${path}`);
});

test('each page has its whole text without JavaScript, and its own title and policy', () => {
  const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const titles = new Set<string | undefined>();
  for (const [name, text] of markdown) {
    const html = pages.get(name.replace(/\.md$/, '/index.html')) ?? '';
    const plain = html.replaceAll(/<[^>]+>/g, '').replaceAll('&lt;', '<');
    const shown = [...new Set(wordsOf(plain.replaceAll('&#39;', "'")))];
    // A list numbers its entries itself.
    const written = wordsOf(text.replaceAll(/^\d+\. |!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)/gm, ''));
    expect(
      written.filter((word) => !shown.some((found) => found.includes(word))),
      name,
    ).toEqual([]);
    titles.add(/<title>([^<]+)<\/title>/.exec(html)?.[1]);
    expect(html, name).toContain(`Content-Security-Policy" content="default-src 'none'; script-src 'self' 'sha256-`);
  }
  expect(titles.size).toBe(markdown.size);
});

test('a page has at most 1,500 words', () => {
  const words = Array.from(markdown, ([name, text]) => ({ name, words: countWords(text) }));
  expect(words.filter(({ words: count }) => count > 1500)).toEqual([]);
  // What is counted: links and tables by what they show, no code.
  expect(countWords('# A page\n\n| `a` | [two words](b.md) |\n\n```ts\nconst c = 1;\n```\n')).toBe(5);
});

test('a page with its scripts and styles is at most 100 kB compressed', async () => {
  // Most are shared by all pages.
  const sizes = new Map<string, number>();
  const sizeOf = async (file: string) => {
    const size = sizes.get(file) ?? gzipSync(await read(file)).length;
    sizes.set(file, size);
    return size;
  };
  for (const [name, text] of pages) {
    let bytes = gzipSync(text).length;
    for (const [, file = ''] of text.matchAll(/(?:src|href)="\/docs\/([^"]+\.(?:js|css))"/g))
      bytes += await sizeOf(file);
    expect(bytes, name).toBeLessThan(100_000);
  }
});

// Whether a page keeps the main thread busy for 200 ms depends on the machine: `pnpm run bench:main-thread` measures it. What a page gives a
// browser to do does not: elements to lay out and to take over, and scripts to compile. The pages that were measured had up to this much.
test('a page has no more elements and scripts than what keeps the main thread free', async () => {
  for (const [name, text] of pages) {
    expect(text.match(/<[a-z]/g)?.length, `elements of ${name}`).toBeLessThan(2400);
    const scripts = [...text.matchAll(/(?:src|href)="\/docs\/([^"]+\.js)"/g)].map(([, file = '']) => read(file));
    const bytes = (await Promise.all(scripts)).reduce((sum, script) => sum + script.length, 0);
    expect(bytes, `scripts of ${name}`).toBeLessThan(230_000);
  }
});

test('each operation has a page with its samples and its own errors only', () => {
  for (const operation of Object.values(operations)) {
    const text = markdown.get(`operations/${operation.operationId}.md`) ?? '';
    for (const fence of ['sh', 'ts', 'python', 'json']) expect(text).toContain(`\`\`\`${fence}`);
    const listed = [...text.matchAll(/\.\.\/errors\/([a-z0-9-]+)\.md/g)].map(([, code]) => code);
    // In groups: yours to fix, try later, consent.
    expect(listed.toSorted()).toEqual(
      errorsOf(operation)
        .map(({ code }) => code)
        .toSorted(),
    );
    const groups = [...text.matchAll(/^\| \*\*(.+?)\*\* \| \[/gm)].map(([, group]) => group);
    expect(groups).toEqual(expect.arrayContaining(['Yours to fix', 'Try later']));
  }
});

test('llms.txt names every page, and llms-full.txt is at most 150 kB of guidance with absolute links', async () => {
  const linked = [...(await read('llms.txt')).matchAll(/\]\(\/docs\/([^)]+\.md)\)/g)].map(([, path]) => path);
  expect(linked.toSorted()).toEqual([...markdown.keys()].toSorted());
  const full = await read('llms-full.txt');
  expect(Buffer.byteLength(full)).toBeLessThanOrEqual(150_000);
  for (const [name, text] of markdown) {
    const title = text.split('\n')[0]?.slice(2) ?? '';
    if (/^errors\//.test(name)) expect(full).toContain(`- [${title}](http://127.0.0.1:8787/docs/${name})`);
    else if (name.startsWith('sdk/')) expect(full).not.toContain(`\n# ${title}\n`);
    else if (leftOut.test(name.replace(/\.md$/, '')))
      expect(full).toContain(`[${title}](http://127.0.0.1:8787/docs/${name})`);
    else expect(full).toContain(`\n# ${title}\n`);
  }
  expect(full).not.toMatch(/\]\((?!https?:\/\/|#)/);
  expect(full).not.toMatch(/^\|.* {2,}\|$/m);
  expect(full).toContain('`VDS_DEADLINE_MS`');
});

// The client's tests hold that the `docsUrl` of an error names its code.
test('every error of the catalogue and of the SDK has a page', async () => {
  const declarations = new URL('errors.d.ts', import.meta.resolve('@vehicle-data/client'));
  const [, union = ''] = /type ClientErrorCode =([\s\S]+?');/.exec(await readFile(declarations, 'utf8')) ?? [];
  const ownCodes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code);
  expect(ownCodes).toContain('timeout');
  const codes = [...errorCatalogue.map(({ code }) => code), ...ownCodes];
  const withPage = names.flatMap((name) => /^errors\/([^/]+)\/index\.html$/.exec(name)?.[1] ?? []);
  expect(withPage.toSorted()).toEqual(codes.toSorted());
  // The API specifies this code, and the status of none.
  expect(markdown.get('errors/4002.md')).toContain(
    'HTTP 400 · Code specified by the API, status seen on live services',
  );
});

test('every picture is shown, and each page that shows one says what it shows', () => {
  const shown = new Set<string>();
  for (const [name, html] of pages) {
    // The form of the next picture for narrow screens.
    for (const [, file = ''] of html.matchAll(/<source srcset="\/docs\/(pictures\/[a-z-]+\.svg)"[^>]*><img/g))
      shown.add(file);
    for (const [image, file] of html.matchAll(/<img[^>]+?src="\/docs\/(pictures\/[a-z-]+\.svg)"[^>]*>/g)) {
      // Beside a title that says the same, a picture is decoration.
      if (file === undefined || / alt(?:="")?[ >]/.test(image)) continue;
      expect(/alt="([^"]+)"/.exec(image)?.[1]?.length ?? 0, `${file} in ${name}`).toBeGreaterThan(40);
      shown.add(file);
    }
  }
  const drawn = names.filter((name) => /^pictures\/.*svg$/.test(name) && name !== 'pictures/logo.svg');
  expect([...shown].toSorted()).toEqual(drawn.toSorted());
});

test('every block of code of every page has a Copy button, and shows what is written', () => {
  let count = 0;
  for (const [name, text] of markdown) {
    const written = Array.from(text.matchAll(/^```.*\n([\s\S]*?)^```$/gm), ([, code = '']) => code.trim());
    const html = pages.get(name.replace(/\.md$/, '/index.html')) ?? '';
    const block =
      /<div class="language-(\w+)[^>]*><button title="Copy Code" class="copy"><\/button>.*?<code>(.*?)<\/code>/gs;
    const shown = Array.from(html.matchAll(block), ([, language = '', code = '']) => ({
      language,
      text: textOf(code),
    }));
    expect(
      shown.map((each) => each.text.trim()),
      name,
    ).toEqual(written);
    // The theme takes these signs for prompts, and does not copy them.
    for (const each of shown) if (/^(?:sh|bash)$/.test(each.language)) expect(each.text, name).not.toMatch(/^ *[$>] /m);
    count += shown.length;
  }
  expect(count).toBeGreaterThan(200);
});

test('a page keeps the room of its pictures and of its menu before they arrive', () => {
  for (const [name, html] of pages) {
    for (const [image] of html.matchAll(/<img[^>]*>/g))
      if (!image.includes('class="VPImage logo"')) expect(image, name).toMatch(/ width="\d+" height="[\d.]+"/);
    const bar = /class="VPNavBar([^"]*)"/.exec(html)?.[1];
    if (bar !== undefined) expect(bar.includes('has-sidebar'), name).toBe(html.includes('class="VPSidebar"'));
  }
});
