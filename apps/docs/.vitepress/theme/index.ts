import { type Theme, useData, withBase } from 'vitepress';
import DefaultTheme, { VPButton } from 'vitepress/theme-without-fonts';
import { defineComponent, h, ref } from 'vue';
import { SendRequest } from './SendRequest.ts';
import './style.css';

/** Copies the page as Markdown. */
const CopyPage = defineComponent(() => {
  const { frontmatter } = useData();
  const label = ref('Copy page as Markdown');
  const copy = async () => {
    const response = await fetch(withBase(`/${frontmatter.value['markdown']}`));
    await navigator.clipboard.writeText(await response.text());
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
  const texts = blocks.slice(first, last + 1).map((candidate) => candidate.querySelector('pre')?.textContent ?? '');
  // The theme copies the block first.
  setTimeout(() => void navigator.clipboard.writeText(texts.join('\n')), 50);
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyPage) }),
  enhanceApp({ app }) {
    app.component('SendRequest', SendRequest);
    if (!import.meta.env.SSR) addEventListener('click', copyWholeSample);
  },
} satisfies Theme;
