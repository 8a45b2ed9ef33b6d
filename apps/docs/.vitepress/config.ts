import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import { type DefaultTheme, defineConfigWithTheme, type MarkdownRenderer } from 'vitepress';
import type { Page, PageGroups } from '../build/markdown.ts';
import { withPolicy } from '../build/policy.ts';
import { earlyScript } from './early.ts';

const { title, summary, version, groups } = JSON.parse(
  readFileSync(new URL('../.cache/site.json', import.meta.url), 'utf8'),
) as { groups: PageGroups } & Record<'title' | 'summary' | 'version', string>;
const { Operations = [], Errors = [], 'SDK reference': sdk = [], ...guides } = groups;
const base = '/docs/';

const entry = ({ path, title }: Page) => ({ text: title, link: `/${path}/` });
/** An error by its code; one made of digits says nothing without its message. */
const errorEntry = (page: Page) => {
  const [code = '', message = ''] = page.title.split(' · ');
  return { ...entry(page), text: /^\d+$/.test(code) ? `${code} ${message}` : code };
};
/** A guide without the name of its group before its title: "SDK: many users" is "Many users" in the group "SDK". */
const guideEntry = (group: string, page: Page) => {
  const [, prefix = '', rest = ''] = /^(.+?): (.+)$/.exec(page.title) ?? [];
  const isRepeated = prefix !== '' && group.startsWith(prefix);
  return { ...entry(page), text: isRepeated ? `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` : page.title };
};
/** An operation, with its method. */
const operationEntry = (page: Page) => {
  const [, method = ''] = /^\*\*([A-Z]+)\*\*/m.exec(page.text) ?? [];
  return { ...entry(page), text: `<span class="method ${method.toLowerCase()}">${method}</span> ${page.title}` };
};
/** The menu. The list of errors is open on their own pages, so that nothing moves when the page comes to life. */
const sidebarOf = (collapsed: boolean) =>
  Object.entries(guides).map(([text, pages]) => ({
    text,
    items: [
      ...(text === 'Reference' ? Operations.map(operationEntry) : []),
      ...pages.map((page) => ({
        ...guideEntry(text, page),
        ...(page.path === 'guides/errors' ? { collapsed, items: Errors.map(errorEntry) } : {}),
      })),
      ...(text === 'Reference' ? sdk.map(entry) : []),
    ],
  }));

/** Components of VitePress with the roles of a main part, a dialog and a list of options (WCAG 4.1.2). */
const accessible = (code: string) =>
  code
    .replace(/<div(\s+class="(?:VPHome|NotFound)"[\s\S]*)<\/div>/, '<main$1</main>')
    .replace('role="button"', 'role="dialog" aria-modal="true"')
    .replace(/(:id="[^"]+"\s+:aria-selected="[^"]+"\s+role="option")\s*>\s*<a/, 'role="none"><a $1 tabindex="-1"')
    .replace(/:aria-label="\[\.\.\.p\.titles[^"]+"/, '')
    // Results scroll, also for the keyboard.
    .replace('class="results"', '$& tabindex="0"')
    .replaceAll('<kbd :aria-label', '<kbd role="img" :aria-label')
    // The name of the button does not contain these keys.
    .replace('class="DocSearch-Button-Keys"', 'v-if="false"');

/** The bar of VitePress, which knows only once its script runs that a menu is beside it, and then moves. */
const steady = (code: string) =>
  code
    .replace("'has-sidebar': hasSidebar.value,", '')
    .replace(':class="classes"', `:class="[classes, { 'has-sidebar': hasSidebar }]"`);

const fileOf = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
/** The search of VitePress with the order of `search.ts`. It can be no setting: functions in settings need `eval`, which the policy forbids. */
const ordered = (code: string) =>
  code
    .replace(
      'import MiniSearch, {',
      `import { searchWith } from ${fileOf('search.ts')}
const searching = import(${fileOf('../.cache/search-vocabulary.json')}).then(({ default: vocabulary }) => searchWith(vocabulary))\n$&`,
    )
    .replace(/index\s+\.search\(filterTextValue\)/, '(await searching)(index, filterTextValue)');

/** Gives each cell of a table the heading of its column: a phone shows it beside the cell. */
function labelCells({ core }: MarkdownRenderer): void {
  core.ruler.push('label-cells', ({ tokens }) => {
    let labels: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') labels = [];
      if (token.type === 'tr_open') column = 0;
      const heading = tokens[index + 1]?.children ?? [];
      if (token.type === 'th_open') labels.push(heading.map(({ content }) => content).join(''));
      if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '');
    }
  });
}

/** Numbers the tabs of a page. VitePress gives them random names, with which no two builds are the same. */
function numberTabs({ renderer: { rules } }: MarkdownRenderer): void {
  const draw = rules['container_code-group_open'];
  rules['container_code-group_open'] = (tokens, group, ...rest) => {
    let tab = 0;
    return String(draw?.(tokens, group, ...rest)).replaceAll(
      /name="group-[^"]+" id="tab-[^"]+"(.*?) for="tab-[^"]+"/g,
      (_, between) => `name="group-${group}" id="tab-${group}-${++tab}"${between} for="tab-${group}-${tab}"`,
    );
  };
}

/** Makes links of the names in the code of the SDK reference, but for those that the code declares itself. */
function linkNames({ renderer: { rules } }: MarkdownRenderer): void {
  const draw = rules.fence;
  rules.fence = (tokens, index, options, env, renderer) => {
    const html = String(draw?.(tokens, index, options, env, renderer));
    const { codeLinks } = sdk.find(({ path }) => env.relativePath === `${path}/index.md`) ?? {};
    if (!codeLinks) return html;
    const code = tokens[index]?.content ?? '';
    const declared = Array.from(code.matchAll(/\b(?:class|interface|type) (\w+)/g), ([, name]) => name);
    const linkOf = (name: string) =>
      Object.hasOwn(codeLinks, name) && !declared.includes(name)
        ? `<a href="${base}${codeLinks[name]}">${name}</a>`
        : name;
    return html.replaceAll(/>[^<]+</g, (words) => words.replaceAll(/\b[A-Z]\w+/g, linkOf));
  };
}

export default defineConfigWithTheme<DefaultTheme.Config>({
  title,
  description: summary,
  base,
  srcDir: '.cache/pages',
  srcExclude: ['public/**'],
  cacheDir: '.cache/vitepress',
  outDir: 'dist',
  metaChunk: true,
  // Pages are indexed for the search one after the other, so that every build gives the same bytes.
  buildConcurrency: 1,
  // Without a transition, no style element is added, which the policy would reject.
  appearance: { disableTransition: false },
  head: [
    ['script', {}, earlyScript],
    ['meta', { name: 'referrer', content: 'no-referrer' }],
    ['link', { rel: 'icon', href: `${base}pictures/logo.svg` }],
  ],
  markdown: {
    anchor: { slugify: slug },
    attrs: { disable: true },
    config: (markdown) => {
      numberTabs(markdown);
      linkNames(markdown);
      labelCells(markdown);
    },
    // Shiki leaves a line without colors after half a second; on a busy machine, no two builds would be the same.
    codeTransformers: [{ preprocess: (_, options) => void Object.assign(options, { tokenizeTimeLimit: 0 }) }],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    logo: '/pictures/logo.svg',
    nav: [
      { text: 'See a trip', link: '/trip/', target: '_self' },
      { text: 'Guides', link: '/guides/getting-started/', activeMatch: '^/(?:guides/(?!changelog/)|errors/)' },
      { text: 'API', link: '/operations/listVehicles/', activeMatch: '^/(?:operations|sdk)/' },
      { text: `v${version}`, link: '/guides/changelog/' },
    ],
    sidebar: { '/errors/': sidebarOf(false), '/guides/errors/': sidebarOf(false), '/': sidebarOf(true) },
    outline: { level: [2, 3] },
    footer: {
      message: `Contract ${version} · <a href="${base}guides/changelog/">Changelog</a> · <a href="${base}guides/faq/#what-is-the-license">MIT license</a> · <a href="${base}guides/faq/#where-are-the-source-and-the-place-for-feedback">Source and feedback</a> · <a href="${base}guides/troubleshooting/">Help</a>`,
    },
    notFound: {
      title: 'Nothing is here',
      quote: 'No page or section has this address. Search for it, or start over.',
      linkLabel: 'Take me home',
    },
    search: {
      provider: 'local',
      options: {
        disableDetailedView: true,
        disableQueryPersistence: true,
        // Code blocks would only cost time and hide what is written.
        _render: (source, env, markdown) => markdown.render(source.replaceAll(/^```[\s\S]*?^```/gm, ''), env),
      },
    },
  },
  // By default the identifiers of components depend on the folder of the repository, and with them the names of all assets.
  vue: {
    features: {
      componentIdGenerator: (path, _source, _isProduction, hash) =>
        hash(path.replace(/^.*(?=node_modules\/|\.vitepress\/)/, '')),
    },
  },
  vite: {
    // The theme uses the composition API alone.
    define: { __VUE_OPTIONS_API__: 'false' },
    plugins: [
      {
        // The program that draws the pages runs here, once: looking for what it does not need takes longer than it does.
        name: 'draw-with-all',
        config: (_, { isSsrBuild }) => (isSsrBuild ? { build: { rollupOptions: { treeshake: false } } } : null),
      },
      {
        name: 'accessible',
        enforce: 'pre',
        transform(code, id) {
          // The styles of another search, a quarter of all.
          if (id.includes('@docsearch/css')) return '';
          if (id.endsWith('VPLocalSearchBox.vue')) return accessible(ordered(code));
          if (id.endsWith('VPNavBar.vue')) return steady(code);
          return /(?:VPHome|NotFound|VPNavBarSearchButton)\.vue$/.test(id) ? accessible(code) : null;
        },
      },
    ],
  },
  transformPageData({ frontmatter }) {
    const { markdown } = frontmatter;
    if (markdown) frontmatter['head'] = [['link', { rel: 'alternate', type: 'text/markdown', href: base + markdown }]];
  },
  // Shiki colors words by style attributes. A page of nothing is made by its script alone.
  transformHtml: (html) =>
    withPolicy(
      html.replace(
        /<div id="app"><.div>/,
        `$&<noscript>Nothing is here. <a href="${base}">Take me home</a></noscript>`,
      ),
      "'self'",
      "style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
    ),
});
