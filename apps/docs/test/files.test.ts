import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createVehicleDataClient, isVehicleDataError } from '@vehicle-data/client';
import { errorCatalogue, operations } from '@vehicle-data/openapi';
import { slug } from 'github-slugger';
import { expect, test } from 'vitest';
import { errorsOf } from '../build/pages/errors.ts';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const read = (name: string) => readFile(join(dist, name), 'utf8');
const names = await readdir(dist, { recursive: true });
const markdown = names.filter((name) => name.endsWith('.md'));
const pages = names.filter((name) => name.endsWith('.html') && name !== '404.html' && !name.startsWith('reference'));

const anchorsOf = (text: string) => [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slug(title));

test('every link of a Markdown file leads to a file and a heading that exist', async () => {
  for (const name of markdown) {
    const links = [...(await read(name)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    for (const [whole, path = '', anchor] of links) {
      const target = path === '' ? name : normalize(join(dirname(name), path));
      const content = await read(target).catch(() => undefined);
      expect(content, `${whole} in ${name}`).toBeDefined();
      if (anchor !== undefined) expect(anchorsOf(content ?? ''), `${whole} in ${name}`).toContain(anchor);
    }
  }
});

test('every link of an HTML page leads to a page and an anchor that exist', async () => {
  const html = new Map(await Promise.all(pages.map(async (name) => [name, await read(name)] as const)));
  for (const [name, text] of html) {
    for (const [whole, path = '', anchor] of text.matchAll(/href="(\/docs\/[^"#]*|(?=#))(?:#([^"]+))?"/g)) {
      const file = path === '' ? name : `${path.slice('/docs/'.length)}${path.endsWith('/') ? 'index.html' : ''}`;
      expect(names, `${whole} in ${name}`).toContain(file);
      if (anchor !== undefined)
        expect(html.get(file)?.includes(`id="${decodeURIComponent(anchor)}"`), `${whole} in ${name}`).toBe(true);
    }
  }
});

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

test('each page has its whole text without JavaScript, and its own title and policy', async () => {
  const titles = new Set<string>();
  for (const name of markdown) {
    const html = await read(`${name.slice(0, -'.md'.length)}/index.html`);
    const shown = new Set(
      wordsOf(
        html
          .replaceAll(/<[^>]+>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&#39;', "'"),
      ),
    );
    const written = (await read(name)).replaceAll(/!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)/g, '');
    const missing = wordsOf(written).filter((word) => ![...shown].some((text) => text.includes(word)));
    expect(missing, name).toEqual([]);
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(html) ?? [];
    expect(titles.has(title), title).toBe(false);
    titles.add(title);
    expect(/Content-Security-Policy" content="default-src 'none'; script-src 'self' 'sha256-/.test(html), name).toBe(
      true,
    );
  }
});

test('a page with its scripts and styles is at most 100 kB compressed', async () => {
  const gzipped = async (name: string) => gzipSync(await readFile(join(dist, name))).length;
  for (const name of pages) {
    const loaded = [...(await read(name)).matchAll(/(?:src|href)="\/docs\/([^"]+\.(?:js|css))"/g)];
    const sizes = await Promise.all([name, ...loaded.map(([, file = '']) => file)].map(gzipped));
    expect(
      sizes.reduce((sum, size) => sum + size, 0),
      name,
    ).toBeLessThan(100_000);
  }
});

test('no page asks anything of another host', async () => {
  for (const name of [...pages, 'reference/index.html']) {
    const html = await read(name);
    expect(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//.test(html), name).toBe(false);
  }
  expect((await read('reference/index.html')).includes('"disableTelemetry":true')).toBe(true);
});

test('each error code and each operation has a page, and each operation lists its own errors only', async () => {
  for (const { code } of errorCatalogue) expect(await read(`errors/${code}.md`)).toContain(`# ${code} · `);
  for (const operation of Object.values(operations)) {
    const twin = await read(`operations/${operation.operationId}.md`);
    for (const fence of ['sh', 'ts', 'python', 'json']) expect(twin).toContain(`\`\`\`${fence}`);
    const listed = [...twin.matchAll(/\.\.\/errors\/([a-z0-9-]+)\.md/g)].map(([, code]) => code);
    expect(listed).toEqual(errorsOf(operation).map(({ code }) => code));
  }
});

test('llms.txt names every page, and llms-full.txt holds all of them', async () => {
  const linked = [...(await read('llms.txt')).matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path]) => path);
  expect(linked.toSorted()).toEqual(markdown.toSorted());
  const full = await read('llms-full.txt');
  for (const name of markdown) expect(full).toContain((await read(name)).split('\n')[0]);
});

test('the docsUrl of every error leads to the page of its code', async () => {
  const docsUrlOf = async (code: string, status: number) => {
    const fetch = async () => Response.json({ error: { code, message: '' } }, { status });
    const options = {
      baseUrl: 'http://127.0.0.1:8787',
      brand: 'brand_a',
      accessToken: 'token',
      maxRetries: 0,
    } as const;
    const error: unknown = await createVehicleDataClient({ ...options, fetch })
      .listVehicles()
      .catch((failure) => failure);
    if (!isVehicleDataError(error)) throw new Error(`${code} is no error of the SDK`);
    return error.docsUrl?.replace('http://127.0.0.1:8787/docs/', '');
  };
  for (const { code, status } of errorCatalogue) expect(await docsUrlOf(code, status)).toBe(`errors/${code}/`);
  expect(names).toContain(`${await docsUrlOf('unheard-of', 400)}index.html`);
  const declarations = await readFile(
    fileURLToPath(new URL('errors.d.ts', import.meta.resolve('@vehicle-data/client'))),
    'utf8',
  );
  const [, union = ''] = /type ClientErrorCode =([\s\S]+?');/.exec(declarations) ?? [];
  const ownCodes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code);
  expect(ownCodes).toContain('timeout');
  const codes = [...errorCatalogue.map(({ code }) => code), ...ownCodes];
  const withPage = names.flatMap((name) => /^errors\/([^/]+)\/index\.html$/.exec(name)?.[1] ?? []);
  expect(withPage.toSorted()).toEqual(codes.toSorted());
});

test('every picture follows the color scheme, and each page that shows one says what it shows', async () => {
  const shown = new Set<string>();
  for (const name of pages) {
    for (const [image] of (await read(name)).matchAll(/<img[^>]+>/g)) {
      const [, file] = /src="\/docs\/(pictures\/[a-z-]+\.svg)"/.exec(image) ?? [];
      if (file === undefined) continue;
      // Beside a title that says the same, a picture is decoration.
      if (/ alt(?:="")?[ >]/.test(image)) continue;
      expect(/alt="([^"]+)"/.exec(image)?.[1]?.length ?? 0, `${file} in ${name}`).toBeGreaterThan(40);
      shown.add(file);
    }
  }
  expect([...shown].toSorted()).toEqual(
    names.filter((name) => /^pictures\/.*svg$/.test(name) && name !== 'pictures/logo.svg').toSorted(),
  );
});
