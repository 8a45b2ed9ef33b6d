import { type Theme, useData, withBase } from 'vitepress';
import DefaultTheme, { VPButton } from 'vitepress/theme-without-fonts';
import { defineAsyncComponent, defineComponent, h, onMounted, ref, watch } from 'vue';
import { doEarly } from '../early.ts';
import { pageOfFormer } from '../former-fragments.ts';
import { NotFound } from './NotFound.ts';
import './style.css';
import './console.css';

/** Copies the page as Markdown, or shows it where that fails: plain HTTP on another host than loopback has no clipboard. */
const CopyPage = defineComponent(() => {
  const { frontmatter } = useData();
  const label = ref('Copy page as Markdown');
  const copy = async () => {
    const file = withBase(`/${frontmatter.value['markdown']}`);
    try {
      const response = await fetch(file);
      if (!response.ok) throw new Error(`status ${response.status}`);
      await navigator.clipboard.writeText(await response.text());
    } catch {
      return location.assign(file);
    }
    label.value = 'Copied';
    setTimeout(() => {
      label.value = 'Copy page as Markdown';
    }, 1500);
  };
  return () =>
    frontmatter.value['markdown'] &&
    h(VPButton, { class: 'copy-page', theme: 'alt', text: label.value, onClick: copy });
});

/** The Copy button of a block that continues others copies all of them, since the block alone does not run. */
function copyWholeSample({ target }: Event): void {
  const block = target instanceof Element && target.matches('button.copy') ? target.closest('.continues') : null;
  if (block === null) return;
  const blocks = [...document.querySelectorAll('.vp-doc div.language-ts')];
  const last = blocks.findIndex((candidate) => block.contains(candidate));
  const first = blocks.findLastIndex((candidate, index) => index <= last && candidate.closest('.continues') === null);
  const text = blocks
    .slice(first, last + 1)
    .map((candidate) => candidate.querySelector('pre')?.textContent ?? '')
    .join('\n');
  // The theme copies the block first. Without a clipboard, it does so by a command, whose event decides what is copied.
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  if (navigator.clipboard) setTimeout(() => void navigator.clipboard.writeText(text), 50);
  else addEventListener('copy', copy, { once: true });
}

/** The docs were one page once. On the landing page, its fragments lead to their new pages, and unknown ones to the page that says so. */
const FormerFragments = defineComponent(() => {
  const { theme } = useData();
  onMounted(() => {
    if (location.hash === '' || document.getElementById(location.hash.slice(1))) return;
    const links = JSON.stringify(theme.value.sidebar['/']).match(/(?<="link":")[^"]+/g) ?? [];
    location.replace(withBase(pageOfFormer(location.hash, links)));
  });
  return () => null;
});

/** Returns the focus to where the search was opened when Escape closes it. */
function returnFocus({ key }: KeyboardEvent): void {
  if (key !== 'Escape' || document.querySelector('.VPLocalSearchBox') === null) return;
  setTimeout(() => document.querySelector<HTMLElement>('.DocSearch-Button')?.focus(), 50);
}

/** Version, license and source, on pages beside a menu. */
const SiteFooter = defineComponent(() => {
  const { theme } = useData();
  return () => h('p', { class: 'site-footer', innerHTML: theme.value.footer.message });
});

const languageKey = 'vds-docs-tab';
/** Tabs of all pages show the same language, the one that the reader last chose. */
function rememberTab({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.closest('.vp-code-group .tabs') === null) return;
  const label = target.labels?.[0]?.textContent;
  if (label) localStorage.setItem(languageKey, label);
}
function showRememberedTab(): void {
  const chosen = localStorage.getItem(languageKey);
  for (const label of document.querySelectorAll('.vp-code-group .tabs label'))
    if (label.textContent === chosen && label instanceof HTMLLabelElement) label.click();
}
const RememberedTab = defineComponent(() => {
  const { page } = useData();
  onMounted(showRememberedTab);
  watch(() => page.value.relativePath, showRememberedTab, { flush: 'post' });
  return () => null;
});

/** The layout of every page. It is mounted after all that it holds. */
const Layout = defineComponent(() => {
  onMounted(doEarly);
  return () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(CopyPage),
      'doc-after': () => h(RememberedTab),
      'doc-footer-before': () => h(SiteFooter),
      'not-found': () => h(NotFound),
      'home-hero-before': () => h(FormerFragments),
    });
});

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component(
      'OperationConsole',
      defineAsyncComponent(() => import('./OperationConsole.ts').then((module) => module.OperationConsole)),
    );
    app.component(
      'LiveResponse',
      defineAsyncComponent(() => import('./LiveResponse.ts').then((module) => module.LiveResponse)),
    );
    if (import.meta.env.SSR) return;
    addEventListener('click', copyWholeSample, { capture: true });
    addEventListener('keydown', returnFocus, { capture: true });
    addEventListener('change', rememberTab);
  },
} satisfies Theme;
