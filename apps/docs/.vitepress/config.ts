import { readFileSync } from 'node:fs';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { anchorOf } from '../build/markdown.ts';
import { withPolicy } from '../build/reference.ts';

interface SiteData {
  readonly title: string;
  readonly version: string;
  readonly sidebar: DefaultTheme.SidebarItem[];
  readonly moved: Readonly<Record<string, string>>;
}
const site = JSON.parse(readFileSync(new URL('../.cache/site.json', import.meta.url), 'utf8')) as SiteData;
const base = '/docs/';

// The docs were one page once. Its fragments lead on before anything is painted.
const forward = `{const to=${JSON.stringify(site.moved)}[decodeURIComponent(location.hash.slice(1)).toLowerCase()];if(to){document.documentElement.hidden=true;location.replace('${base}'+to)}}`;

export default defineConfig({
  lang: 'en-US',
  title: site.title,
  description: 'Data of connected cars whose owners agreed to share it: API, SDK, proxy and sandbox.',
  base,
  srcDir: '.cache/pages',
  srcExclude: ['public/**'],
  cacheDir: '.cache/vitepress',
  outDir: 'dist',
  metaChunk: true,
  // Without a transition, no style element is added, which the policy would reject.
  appearance: { disableTransition: false },
  head: [
    ['meta', { name: 'referrer', content: 'no-referrer' }],
    ['link', { rel: 'icon', href: `${base}logo.svg` }],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    attrs: { disable: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    siteTitle: site.title,
    logo: '/logo.svg',
    nav: [
      { text: 'Guides', link: '/guides/getting-started/' },
      { text: 'API', link: '/operations/listVehicles/' },
      { text: 'Errors', link: '/guides/errors/' },
      { text: `v${site.version}`, items: [{ text: 'Changelog', link: '/guides/changelog/' }] },
    ],
    sidebar: site.sidebar,
    outline: { level: [2, 3] },
  },
  transformPageData({ frontmatter }) {
    const markdown: unknown = frontmatter['markdown'];
    if (typeof markdown !== 'string') return;
    frontmatter['head'] = [['link', { rel: 'alternate', type: 'text/markdown', href: base + markdown }]];
  },
  transformHead: ({ page }) => (page === 'index.md' ? [['script', {}, forward]] : []),
  transformHtml: (html) =>
    withPolicy(html, {
      'script-src': "'self'",
      'style-src': "'self'",
      // Shiki colors words by style attributes.
      'style-src-attr': "'unsafe-inline'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
    }),
});
