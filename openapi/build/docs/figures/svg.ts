/** A drawing whose colours come from classes, so that it is legible on light and dark ground. */
export interface Figure {
  /** What the picture says, for those who do not see it. */
  readonly alternative: string;
  readonly caption: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly string[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A coordinate without needless digits. */
const round = (value: number): string => String(Math.round(value * 10) / 10);

export type TextStyle = 'text' | 'small' | 'code' | 'refuse-text' | 'fill-1' | 'fill-2' | 'fill-3';

export function text(
  at: Point,
  content: string,
  options: {
    readonly style?: TextStyle;
    readonly size?: number;
    readonly anchor?: 'start' | 'middle' | 'end';
    readonly bold?: boolean;
  } = {},
): string {
  const { style = 'text', size = 13, anchor = 'start', bold = false } = options;
  return `<text x="${round(at.x)}" y="${round(at.y)}" class="vds-${style}" font-size="${size}" text-anchor="${anchor}"${bold ? ' font-weight="600"' : ''}>${escaped(content)}</text>`;
}

/** A box with a title and lines below it. */
export function box(
  at: Point,
  size: { readonly width: number; readonly height: number },
  title: string,
  lines: readonly string[] = [],
  style: 'box' | 'box-strong' = 'box',
): string {
  const middle = at.x + size.width / 2;
  const first = lines.length === 0 ? at.y + size.height / 2 + 5 : at.y + 26;
  return [
    `<rect x="${round(at.x)}" y="${round(at.y)}" width="${round(size.width)}" height="${round(size.height)}" rx="10" class="vds-${style}"/>`,
    text({ x: middle, y: first }, title, { anchor: 'middle', size: 14, bold: true }),
    ...lines.map((line, index) =>
      text({ x: middle, y: first + 22 + index * 19 }, line, { anchor: 'middle', size: 12, style: 'small' }),
    ),
  ].join('');
}

/** An arrow along straight lines through the points. */
export function arrow(points: readonly Point[], style: 'arrow' | 'arrow-back' | 'refuse' = 'arrow'): string {
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (tip === undefined || before === undefined) throw new Error('an arrow needs two points');
  const angle = Math.atan2(tip.y - before.y, tip.x - before.x);
  const corner = (side: number) =>
    `${round(tip.x - 9 * Math.cos(angle + side))},${round(tip.y - 9 * Math.sin(angle + side))}`;
  return [
    `<polyline points="${polyline(points)}" class="vds-${style}"/>`,
    `<polygon points="${round(tip.x)},${round(tip.y)} ${corner(0.45)} ${corner(-0.45)}" class="vds-${style}-head"/>`,
  ].join('');
}

export function line(from: Point, to: Point, style: 'grid' | 'arrow' | 'refuse' = 'grid'): string {
  return `<line x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}" class="vds-${style}"/>`;
}

export function polyline(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
}

export function rectangle(at: Point, width: number, height: number, style: string, radius = 6): string {
  return `<rect x="${round(at.x)}" y="${round(at.y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" class="vds-${style}"/>`;
}

function drawing({ alternative, width, height, shapes }: Figure, style: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(alternative)}">${style}${shapes.join('')}</svg>`;
}

/** The drawing inside the page, where the theme gives the colours. One line: a blank line would end the HTML block in Markdown. */
export function figureInPage(figure: Figure): string {
  return `<figure class="vds-figure">${drawing(figure, '')}<figcaption>${escaped(figure.caption)}</figcaption></figure>`;
}

/** The drawing as a file of its own, which follows the colour scheme of the reader's system. */
export function figureFile(figure: Figure, theme: string): string {
  for (const [, name] of figure.shapes.join('').matchAll(/class="(vds-[a-z0-9-]+)"/g)) {
    if (!theme.includes(`\n.${name} {`))
      throw new Error(`docs-theme/theme.css has no rule for the figures' class ${name}`);
  }
  return `${drawing(figure, `<style>${standaloneStyle(theme)}</style>`)}\n`;
}

/** The rules of the theme for drawings, without the page's own custom properties. */
function standaloneStyle(theme: string): string {
  const properties = (scheme: RegExp) => {
    const [, body = ''] = scheme.exec(theme) ?? [];
    const wanted = [...body.matchAll(/ {2}(--vds-[a-z-]+|--bg-color|--text-color-[a-z]+|--code-font-family): [^;]+;/g)];
    if (wanted.length < 6) throw new Error('docs-theme/theme.css does not set the colours of the figures');
    return wanted.map(([declaration]) => declaration.trim()).join('');
  };
  const rules = [...theme.matchAll(/^\.vds-(?!copy)[a-z0-9-]+ \{[^}]+\}/gm)].map(([rule]) =>
    rule.replaceAll(/\s+/g, ' '),
  );
  const [light, dark] = [properties(/^html:root:root \{([^}]+)\}/m), properties(/^html\.dark:root:root \{([^}]+)\}/m)];
  return `svg{${light}font-family:system-ui,sans-serif}@media (prefers-color-scheme:dark){svg{${dark}}}${rules.join('')}`;
}
