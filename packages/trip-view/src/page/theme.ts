import type { Color } from '../colors.js';

export const themes = ['auto', 'light', 'dark'] as const;

const systemDark = matchMedia('(prefers-color-scheme: dark)');
/** Its color scheme is the theme that is shown; empty where the system decides. */
const { style } = document.documentElement;

/** A color of the theme that is shown, for canvases; the style sheet knows the theme by itself. */
export function shade([light, dark]: Color = ['', '']): string {
  return style.colorScheme === 'dark' || (style.colorScheme === '' && systemDark.matches) ? dark : light;
}

/** Calls a listener whenever the colors change: by choice, by the system, and for paper. Returns what shows a theme. */
export function watchTheme(redraw: () => void): (theme: string) => void {
  let chosen = '';
  const show = (scheme: string) => {
    style.colorScheme = scheme;
    redraw();
  };
  systemDark.addEventListener('change', redraw);
  addEventListener('beforeprint', () => show('light'));
  addEventListener('afterprint', () => show(chosen));
  return (theme) => {
    chosen = theme === 'auto' ? '' : theme;
    show(chosen);
  };
}
