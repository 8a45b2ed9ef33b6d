import type { Signal } from './trip/signals.js';

/** A color on a light and on a dark ground. */
export type Color = readonly [light: string, dark: string];

/** Colors of numeric signals, by their place in the trip. */
const signals: readonly Color[] = [
  ['#3a56d4', '#a5b4ff'],
  ['#b8580a', '#f2b172'],
  ['#0b7a63', '#63d6ba'],
  ['#a3308f', '#f0a6ec'],
  ['#0a7ea4', '#6cc8ea'],
  ['#c2264b', '#ff8fae'],
  ['#66740b', '#c5d36b'],
  ['#7a4fd0', '#c7adff'],
];

/** Colors of the values of a band, by their place in the contract. */
const bands: readonly Color[] = [
  ['#a9b9f7', '#3f4c8f'],
  ['#f5bd8b', '#7a4f20'],
  ['#8fd8c3', '#1f6a57'],
  ['#e8abe0', '#703a6c'],
  ['#9ad2e8', '#22627a'],
  ['#ccd1dc', '#4a5064'],
];

const numbered = (name: string, palette: readonly Color[]) =>
  palette.map((color, index) => [`${name}-${index}`, color]);

/** Colors of the page and of SVG pictures, by their names. The style sheet of the page has each as a property, such as `--muted`. */
export const colors: Readonly<Record<string, Color>> = {
  text: ['#171a24', '#f3f5fb'],
  muted: ['#555b6e', '#a9b0c4'],
  line: ['#e1e5ee', '#2a2f40'],
  edge: ['#868da3', '#7d86a0'],
  ground: ['#ffffff', '#12141c'],
  layer: ['#f6f7fb', '#191c27'],
  accent: ['#3a56d4', '#a5b4ff'],
  'accent-soft': ['#e9edfc', '#23294a'],
  warning: ['#b3185e', '#ff8fae'],
  'warning-soft': ['#fdeaf2', '#3b1a28'],
  ghost: ['#8d93a5', '#7d8499'],
  ...Object.fromEntries([...numbered('signal', signals), ...numbered('band', bands)]),
};

/** Names the color of each numeric signal of a trip. */
export function colorsOf(trip: { readonly signals: readonly Signal[] }): (signal: Signal) => string {
  const numbers = trip.signals.filter(({ kind }) => kind === 'number').map(({ path }) => path);
  return ({ path }) => `signal-${Math.max(0, numbers.indexOf(path)) % signals.length}`;
}

/** Names the color of a value of a band; `null` is none. */
export function bandColor(allowed: readonly string[], value: string | null): string {
  return value === null ? 'muted' : `band-${allowed.indexOf(value) % bands.length}`;
}
