type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;
type Rest = readonly [Attributes, ...Child[]] | readonly Child[];

/**
 * Makes an element, with classes after dots: `h('p.note', 'Text')`. A function becomes a listener of the event that its attribute
 * names (`onclick`), a name such as `--ink` is a property of the style sheet; `false` and `undefined` leave an attribute out. Text
 * is always text: nothing is parsed as HTML.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  selector: Tag | `${Tag}.${string}`,
  ...rest: Rest
): HTMLElementTagNameMap[Tag] {
  const [tag, ...classes] = selector.split('.');
  // By the type of the selector, what stands before its first dot is the tag.
  const element = document.createElement(tag as Tag);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const part of rest) {
    if (part === undefined || part === false) continue;
    if (typeof part === 'string' || part instanceof Node) element.append(part);
    else
      for (const [name, value] of Object.entries(part)) {
        if (typeof value === 'function') element.addEventListener(name.slice(2), value);
        else if (name.startsWith('--')) element.style.setProperty(name, String(value));
        else if (value !== undefined && value !== false)
          element.setAttribute(name, value === true ? '' : String(value));
      }
  }
  return element;
}

/** Matches while the screen is narrow, as the style sheet has it. */
export const narrow = () => matchMedia('(max-width: 760px)');

/** The color of a signal or a value, such as `signal-3`, as an attribute of what the style sheet fills with it. */
export const ink = (color: string) => ({ '--ink': `var(--${color})` });

/** A table with a caption; numbers are aligned to the right. */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): HTMLTableElement {
  return h(
    'table',
    h('caption', caption),
    h('thead', h('tr', ...head.map((text) => h('th', { scope: 'col' }, text)))),
    h(
      'tbody',
      ...rows.map((row) =>
        h('tr', ...row.map((cell, index) => (index === 0 ? h('th', { scope: 'row' }, `${cell}`) : h('td', `${cell}`)))),
      ),
    ),
  );
}

/** A table that a reader opens: the twin of a chart. The rows are made when it is opened. */
export function twin(summary: string, content: () => Node): HTMLDetailsElement {
  const details = h('details.twin', h('summary', summary));
  details.addEventListener('toggle', () => {
    details.querySelector('.scroll')?.remove();
    if (details.open)
      details.append(h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': summary }, content()));
  });
  return details;
}
