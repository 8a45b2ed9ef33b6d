/** Colors of the canvases, read from the style sheet so that each is in one place. */
export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly warning: string;
  readonly ghost: string;
  readonly signals: readonly string[];
  readonly bands: readonly string[];
}

let current: Palette | undefined;

/** The colors of the theme that is shown. */
export function palette(): Palette {
  if (current) return current;
  // The value of a property is its text; only a color that is used is the one of the theme.
  const probe = document.body.appendChild(document.createElement('i'));
  const style = getComputedStyle(probe);
  const read = (name: string) => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const list = (name: string, count: number) => Array.from({ length: count }, (_, index) => read(`${name}-${index}`));
  current = {
    text: read('text'),
    muted: read('muted'),
    line: read('line'),
    warning: read('warning'),
    ghost: read('ghost'),
    signals: list('signal', 8),
    bands: list('band', 6),
  };
  probe.remove();
  return current;
}

type Theme = 'auto' | 'light' | 'dark';

/** Calls a listener whenever the colors change: by choice, by the system, and for paper. */
export function watchTheme(redraw: () => void): void {
  const changed = () => {
    current = undefined;
    redraw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  const forPaper = (paper: boolean) => {
    document.documentElement.classList.toggle('paper', paper);
    changed();
  };
  addEventListener('beforeprint', () => forPaper(true));
  addEventListener('afterprint', () => forPaper(false));
  listeners.add(changed);
}

const listeners = new Set<() => void>();

/** Shows a theme; `auto` follows the system. */
export function setTheme(theme: Theme): void {
  const { classList } = document.documentElement;
  classList.toggle('light', theme === 'light');
  classList.toggle('dark', theme === 'dark');
  for (const listener of listeners) listener();
}
