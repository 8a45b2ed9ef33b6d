// What a reader does before a page works: it is kept by a script of the head, and done once Vue has taken over the page.

/** A button or tab that was clicked, or the key that opens the search. */
type Early = HTMLElement | 'search';

declare global {
  var earlyControls: Early[] | undefined;
  var keepEarly: ((event: Event) => void) | undefined;
}

/** The script of the head. It is plain text there: the policy allows it by its hash. */
export const earlyScript = `earlyControls = [];
keepEarly = (event) => {
  const { type, key, target } = event;
  if (type === 'click') {
    const control = target.closest('button, .tabs input');
    if (control) earlyControls.push(control);
  } else if (key === '/' || (key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    earlyControls.push('search');
  }
};
addEventListener('click', keepEarly, true);
addEventListener('keydown', keepEarly, true);`;

/** Does what was kept, in its order. To be called when the page works. */
export function doEarly(): void {
  const { earlyControls = [], keepEarly } = globalThis;
  if (keepEarly === undefined) return;
  removeEventListener('click', keepEarly, true);
  removeEventListener('keydown', keepEarly, true);
  for (const control of earlyControls.splice(0)) {
    const element = control === 'search' ? document.querySelector<HTMLElement>('.DocSearch-Button') : control;
    element?.click();
    // A tab was chosen then: its second click changes nothing, so nobody would be notified.
    if (element instanceof HTMLInputElement) element.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
