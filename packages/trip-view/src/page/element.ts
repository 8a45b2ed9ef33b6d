type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/**
 * Makes an element. A function becomes a listener of the event that its attribute names (`onclick`); `false` and `undefined`
 * leave an attribute out. Text is always text: nothing is parsed as HTML.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  set(element, attributes, children);
  return element;
}

/** Makes an element of a drawing. */
export function s<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  set(element, attributes, children);
  return element;
}

function set(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
}

/** Gives an element the color of a signal or a value, such as `signal-3`. The style sheet uses it as `--ink`. */
export function inked<Item extends HTMLElement | SVGElement>(element: Item, color: string): Item {
  element.style.setProperty('--ink', `var(--${color})`);
  return element;
}

/** A table with a caption; numbers are aligned to the right. */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): HTMLTableElement {
  return h(
    'table',
    {},
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
    h(
      'tbody',
      {},
      ...rows.map((row) =>
        h(
          'tr',
          {},
          ...row.map((cell, index) => (index === 0 ? h('th', { scope: 'row' }, `${cell}`) : h('td', {}, `${cell}`))),
        ),
      ),
    ),
  );
}

/** A table that a reader opens: the twin of a chart. The rows are made when it is opened. */
export function twin(summary: string, content: () => Node): HTMLDetailsElement {
  const details = h('details', { class: 'twin' }, h('summary', {}, summary));
  details.addEventListener('toggle', () => {
    details.querySelector('.scroll')?.remove();
    if (details.open)
      details.append(h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': summary }, content()));
  });
  return details;
}
