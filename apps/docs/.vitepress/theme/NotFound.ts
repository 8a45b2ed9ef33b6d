import { useData, withBase } from 'vitepress';
import { VPButton } from 'vitepress/theme-without-fonts';
import { defineComponent, h } from 'vue';

const openSearch = () => document.querySelector<HTMLElement>('.DocSearch-Button')?.click();

/** The page of an address that leads nowhere: a way to search, and the ways in. */
export const NotFound = defineComponent(() => {
  const { theme } = useData();
  return () => {
    const { title, quote, linkLabel } = theme.value.notFound;
    return h('main', { class: 'not-found vp-doc' }, [
      h('h1', title),
      h('p', quote),
      h('p', h(VPButton, { tag: 'button', theme: 'brand', text: 'Search the docs', onClick: openSearch })),
      h('ul', [
        h('li', h('a', { href: withBase('/') }, linkLabel)),
        h('li', h('a', { href: withBase('/guides/getting-started/') }, 'Getting started')),
        h('li', h('a', { href: withBase('/guides/errors/') }, 'Every error code')),
        h('li', h('a', { href: withBase('/operations/listVehicles/') }, 'Operations')),
      ]),
    ]);
  };
});
