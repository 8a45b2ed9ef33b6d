import { withBase } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, onUnmounted, ref } from 'vue';
import type { SearchRecord } from './search.ts';

const groups: Readonly<Record<string, string>> = { errors: 'Errors', guides: 'Guides', operations: 'API' };

/** The search: a button, and a dialog that loads the index when it opens for the first time. */
export const SearchBox = defineComponent(() => {
  const dialog = ref<HTMLDialogElement>();
  const query = ref('');
  const hits = ref<readonly SearchRecord[]>([]);
  const selected = ref(0);
  let search: ((query: string) => readonly SearchRecord[]) | undefined;

  const find = () => {
    hits.value = query.value.trim() === '' || search === undefined ? [] : search(query.value);
    selected.value = 0;
  };
  const open = async () => {
    dialog.value?.showModal();
    if (search !== undefined) return;
    const [{ createSearch }, response] = await Promise.all([import('./search.ts'), fetch(withBase('/search.json'))]);
    search = createSearch(await response.json());
    find();
  };
  const onKey = (event: KeyboardEvent) => {
    const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea');
    if (!isShortcut && (event.key !== '/' || isTyping)) return;
    event.preventDefault();
    void open();
  };
  const onKeyInField = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      selected.value = Math.max(0, Math.min(hits.value.length - 1, selected.value + step));
      void nextTick(() => document.getElementById(`hit-${selected.value}`)?.scrollIntoView({ block: 'nearest' }));
    } else if (event.key === 'Enter') document.getElementById(`hit-${selected.value}`)?.click();
  };
  onMounted(() => addEventListener('keydown', onKey));
  onUnmounted(() => removeEventListener('keydown', onKey));

  const hitOf = ({ url, title, heading, text }: SearchRecord, index: number) =>
    h('li', { role: 'none' }, [
      h(
        'a',
        {
          id: `hit-${index}`,
          role: 'option',
          tabindex: -1,
          'aria-selected': index === selected.value,
          href: withBase(`/${url}`),
          onClick: () => dialog.value?.close(),
        },
        [
          h('small', groups[url.replace(/\/.*/, '')]),
          h('strong', heading === '' ? title : `${title} › ${heading}`),
          h('span', text.slice(0, 110)),
        ],
      ),
    ]);

  return () => [
    h('button', { class: 'search-button', type: 'button', onClick: open }, 'Search'),
    h('dialog', { ref: dialog, class: 'search-dialog', 'aria-label': 'Search' }, [
      h('input', {
        type: 'search',
        role: 'combobox',
        'aria-label': 'Search the docs',
        'aria-expanded': hits.value.length > 0,
        'aria-controls': 'hits',
        'aria-activedescendant': hits.value.length > 0 ? `hit-${selected.value}` : undefined,
        placeholder: 'Error code, operation, word…',
        value: query.value,
        onInput: (event: Event) => {
          query.value = (event.target as HTMLInputElement).value;
          find();
        },
        onKeydown: onKeyInField,
      }),
      h('button', { type: 'button', onClick: () => dialog.value?.close() }, 'Close'),
      h('ul', { id: 'hits', role: 'listbox', 'aria-label': 'Results' }, hits.value.map(hitOf)),
      h(
        'p',
        { role: 'status' },
        query.value !== '' && search !== undefined && hits.value.length === 0 ? 'Nothing found.' : '',
      ),
    ]),
  ];
});
