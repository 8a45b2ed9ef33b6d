import { type SignalRule, seriesTable } from '@vehicle-data/client/series';
import type { Signal } from './trip/signals.js';

/** A color on a light and on a dark ground. */
export type Color = readonly [light: string, dark: string];

/** Colors of numeric signals, by their place in the contract. Readers who see fewer colors can distinguish them, too. */
const signals: readonly Color[] = [
  ['#ae8a0d', '#f1f217'],
  ['#9b4805', '#bb6802'],
  ['#3a56d4', '#a5b4ff'],
  ['#2a2372', '#8362ed'],
  ['#650200', '#d29190'],
  ['#834d7e', '#ab6595'],
  ['#bd7598', '#acfaea'],
  ['#6a87f0', '#bfc002'],
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

/** Numeric signals of the contract, in its order. */
const numberPaths = Object.values(seriesTable).flatMap(({ signals: all }) =>
  Object.entries<SignalRule>(all).flatMap(([path, { kind }]) => (kind === 'number' ? path : [])),
);

/** Names the color of a numeric signal: the same one in every trip. What is derived has that of text. */
export function colorOf({ path }: Pick<Signal, 'path'>): string {
  const place = numberPaths.indexOf(path);
  return place < 0 ? 'text' : `signal-${place % signals.length}`;
}

/** Names the color of a value of a band; `null` is none. */
export function bandColor(allowed: readonly string[], value: string | null): string {
  return value === null ? 'muted' : `band-${allowed.indexOf(value) % bands.length}`;
}
