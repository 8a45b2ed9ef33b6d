// The frame of the page: its heading, its choices, and the places where a month, a day or a sentence stands.
import { h } from './element.js';
import { watchPresses } from './presses.js';

const basis =
  'The API does not specify when samples were measured. This page places them evenly where the data support it, and says so. Nothing is interpolated.';

/** A choice among names. */
export interface Choice {
  readonly select: HTMLSelectElement;
  readonly field: HTMLElement;
}

export function choice(label: string, names: readonly string[], chosen: (name: string, index: number) => void): Choice {
  const select = h('select', ...names.map((name) => h('option', name)));
  select.addEventListener('change', () => chosen(select.value, select.selectedIndex));
  return { select, field: h('label', h('span', label), select) };
}

export type Screen = ReturnType<typeof createScreen>;

/** @param again reads everything anew, after a failure */
export function createScreen(title: string, choices: readonly Choice[], again: () => void) {
  const calendarPlace = h('div');
  const main = h('main', { id: 'main', tabindex: -1 });
  const status = h('p', { role: 'status' });
  const skip = (event: Event) => {
    event.preventDefault();
    main.querySelector<HTMLElement>('a, button')?.focus();
  };
  document.body.replaceChildren(
    // A site that holds the page may have put its links before it.
    ...document.querySelectorAll('body > nav'),
    h('a.skip', { href: '#main', onclick: skip }, 'Skip to the trips'),
    h('header.top', h('h1', title), h('div.choices', ...choices.map(({ field }) => field))),
    status,
    calendarPlace,
    main,
    h('footer', h('p', basis)),
  );

  /**
   * Makes a part of the page again. A control that had the focus keeps it, by its id; the trips get it from one that is gone.
   * The selected day and trip are in the middle of their lines.
   */
  function keepFocus(make: () => void): void {
    const focused = document.activeElement;
    make();
    if (focused && !focused.isConnected) (document.getElementById(focused.id) ?? main).focus({ preventScroll: true });
    // In the next frame: now it would lay out the page once more.
    requestAnimationFrame(() => {
      for (const current of document.querySelectorAll<HTMLElement>('[aria-current]')) {
        const line = current.closest<HTMLElement>('.days, ul');
        if (line) line.scrollLeft = current.offsetLeft - line.offsetLeft + (current.offsetWidth - line.clientWidth) / 2;
      }
    });
  }

  function clear(): void {
    document.title = title;
    main.replaceChildren();
  }

  /** Shows sentences alone, with a button that tries again. */
  function say(...sentences: readonly string[]): void {
    status.textContent = '';
    const retry = h('button', { id: 'again', onclick: again }, 'Try again');
    keepFocus(() => {
      clear();
      calendarPlace.replaceChildren();
      main.append(h('div.message', { role: 'alert' }, ...sentences.map((text) => h('p', text)), retry));
    });
  }

  return { calendarPlace, main, status, keepFocus, clear, say, released: watchPresses() };
}
