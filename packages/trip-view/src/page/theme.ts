import type { Color } from '../colors.js';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const systemDark = matchMedia('(prefers-color-scheme: dark)');
let theme: Theme = 'auto';
let onPaper = false;
let changed = () => {};

/** A color of the theme that is shown, for canvases; the style sheet knows the theme by itself. */
export function shade([light, dark]: Color = ['', '']): string {
  return !onPaper && (theme === 'auto' ? systemDark.matches : theme === 'dark') ? dark : light;
}

/** Calls a listener whenever the colors change: by choice, by the system, and for paper. */
export function watchTheme(redraw: () => void): void {
  changed = () => {
    document.documentElement.style.colorScheme = onPaper ? 'light' : theme === 'auto' ? '' : theme;
    redraw();
  };
  systemDark.addEventListener('change', changed);
  const printing = (paper: boolean) => {
    onPaper = paper;
    changed();
  };
  addEventListener('beforeprint', () => printing(true));
  addEventListener('afterprint', () => printing(false));
}

/** Shows a theme; `auto` follows the system. */
export function setTheme(next: Theme): void {
  theme = next;
  changed();
}
