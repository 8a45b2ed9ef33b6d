/** A drawing. Its colors come from classes, so it is legible in the light and in the dark scheme. */
export interface Figure {
  /** What the picture says, for readers who do not see it. */
  readonly alternative: string;
  readonly caption: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly string[];
}

interface TextOptions {
  readonly style?: 'small' | 'code' | 'refuse-text' | 'fill-1' | 'fill-2' | 'fill-3';
  readonly size?: number;
  readonly anchor?: 'middle' | 'end';
  readonly bold?: boolean;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A coordinate without needless digits. */
const round = (value: number): string => String(Math.round(value * 10) / 10);

export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { style = 'text', size = 13, anchor = 'start', bold = false } = options;
  return `<text x="${round(x)}" y="${round(y)}" class="vds-${style}" font-size="${size}" text-anchor="${anchor}"${bold ? ' font-weight="600"' : ''}>${escaped(content)}</text>`;
}

export function rectangle(x: number, y: number, width: number, height: number, style: string, radius = 6): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" class="vds-${style}"/>`;
}

export function line(points: readonly (readonly [number, number])[], style: string): string {
  return `<polyline points="${points.map((point) => point.map(round).join(',')).join(' ')}" class="vds-${style}"/>`;
}

/** A box with a title and lines below it. */
export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  title: string,
  lines: readonly string[],
  style = 'box',
): string {
  const middle = x + width / 2;
  const small = { anchor: 'middle', size: 12, style: 'small' } as const;
  return [
    rectangle(x, y, width, height, style, 10),
    text(middle, y + 26, title, { anchor: 'middle', size: 14, bold: true }),
    ...lines.map((content, index) => text(middle, y + 48 + index * 19, content, small)),
  ].join('');
}

/** An arrow through the points of a path such as `160,132 240,132`. */
export function arrow(path: string, style = 'arrow'): string {
  const points = path.split(' ').map((point) => point.split(',').map(Number) as [number, number]);
  const [[x, y] = [0, 0], [fromX, fromY] = [0, 0]] = points.toReversed();
  const angle = Math.atan2(y - fromY, x - fromX);
  const corner = (side: number) => `${round(x - 9 * Math.cos(angle + side))},${round(y - 9 * Math.sin(angle + side))}`;
  return `${line(points, style)}<polygon points="${x},${y} ${corner(0.45)} ${corner(-0.45)}" class="vds-${style}-head"/>`;
}

const drawing = ({ alternative, width, height, shapes }: Figure, style: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(alternative)}">${style}${shapes.join('')}</svg>`;

/** The drawing inside a page. One line: a blank line would end the HTML block in Markdown. */
export function figureInPage(name: string, figure: Figure): string {
  const focusable = 'class="vds-figure" tabindex="0"';
  return `<figure ${focusable}>${drawing(figure, '')}<!-- file: ${name} --><figcaption>${escaped(figure.caption)}</figcaption></figure>`;
}

/** The drawing as a file, which follows the color scheme of the reader's system. */
export function figureFile(figure: Figure, css: string): string {
  const dark = css.replace(/^\.dark (\{[^}]+\})/m, '@media (prefers-color-scheme: dark) { :root $1 }');
  return `${drawing(figure, `<style>${dark.replaceAll(/\s+/g, ' ')}</style>`)}\n`;
}
