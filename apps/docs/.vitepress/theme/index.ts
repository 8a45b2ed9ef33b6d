import { type Theme, useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h, ref } from 'vue';
import { copyWholeSample } from './copy-whole-sample.ts';
import { SearchBox } from './SearchBox.ts';
import { SendRequest } from './SendRequest.ts';
import './figures.css';
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
    frontmatter.value['markdown']
      ? h('button', { class: 'copy-page', type: 'button', onClick: copy }, label.value)
      : undefined;
});

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'nav-bar-content-before': () => h(SearchBox), 'doc-before': () => h(CopyPage) }),
  enhanceApp({ app }) {
    app.component('SendRequest', SendRequest);
    if (!import.meta.env.SSR) addEventListener('click', copyWholeSample);
  },
} satisfies Theme;
