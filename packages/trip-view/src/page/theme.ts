import type { Color } from '../colors.js';

const systemDark = matchMedia('(prefers-color-scheme: dark)');
const paper = matchMedia('print');
/** Its color scheme is light for paper, and empty where the system decides. */
const { style } = document.documentElement;

/** A color of the scheme that is shown, for canvases; the style sheet knows the scheme by itself. */
export function shade([light, dark]: Color = ['', '']): string {
  return style.colorScheme === '' && systemDark.matches ? dark : light;
}

/** Calls a listener whenever the colors change, by the system and for paper, and when the page gets the width of paper. */
export function watchColors(redraw: () => void): void {
  const show = (scheme: string) => {
    style.colorScheme = scheme;
    redraw();
  };
  for (const query of [systemDark, paper]) query.addEventListener('change', redraw);
  addEventListener('beforeprint', () => show('light'));
  addEventListener('afterprint', () => show(''));
}
