import type { Color } from '../colors.js';

export const themes = ['auto', 'light', 'dark'] as const;

const systemDark = matchMedia('(prefers-color-scheme: dark)');
let theme: (typeof themes)[number] = 'auto';
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
  for (const event of ['beforeprint', 'afterprint'] as const)
    addEventListener(event, () => {
      onPaper = event === 'beforeprint';
      changed();
    });
}

/** Shows a theme, by index; the first follows the system. */
export function setTheme(index: number): void {
  theme = themes[index] ?? 'auto';
  changed();
}
