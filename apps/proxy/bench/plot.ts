/** One line of a plot. */
export interface Line {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const width = 440;
const height = 260;
const margin = { left: 64, right: 16, top: 34, bottom: 46 };
const colours = ['#0b6e4f', '#8a4fff', '#c0392b', '#2c3e50'];

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const logs = values.map((value) => Math.log10(Math.max(value, 1e-9)));
  const low = Math.min(...logs);
  const high = Math.max(...logs);
  return (value) => from + ((Math.log10(Math.max(value, 1e-9)) - low) / (high - low || 1)) * (to - from);
}

function label(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  return value >= 1000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
}

/** A plot with logarithmic axes, as a group of an SVG placed at `left`, `top`. */
function plot(title: string, xTitle: string, lines: readonly Line[], left: number, top: number): string {
  const all = lines.flatMap(({ points }) => points);
  const x = scale(
    all.map((point) => point.x),
    margin.left,
    width - margin.right,
  );
  const y = scale(
    all.map((point) => point.y),
    height - margin.bottom,
    margin.top,
  );
  const steps = [...new Set(all.map((point) => point.x))];
  const heights = [Math.min(...all.map((point) => point.y)), Math.max(...all.map((point) => point.y))];
  const parts = [`<text x="${margin.left}" y="18" font-weight="bold">${title}</text>`];
  parts.push(
    `<path d="M${margin.left} ${margin.top}V${height - margin.bottom}H${width - margin.right}" fill="none" stroke="#888"/>`,
  );
  for (const step of steps)
    parts.push(
      `<text x="${x(step).toFixed(1)}" y="${height - margin.bottom + 16}" text-anchor="middle">${label(step)}</text>`,
    );
  for (const each of heights)
    parts.push(`<text x="${margin.left - 6}" y="${(y(each) + 4).toFixed(1)}" text-anchor="end">${label(each)}</text>`);
  parts.push(
    `<text x="${(margin.left + width - margin.right) / 2}" y="${height - 8}" text-anchor="middle">${xTitle}</text>`,
  );
  for (const [index, { name, points }] of lines.entries()) {
    const colour = colours[index % colours.length];
    const path = points.map((point) => `${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join('L');
    parts.push(`<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    parts.push(
      `<text x="${width - margin.right}" y="${margin.top + 14 * index}" text-anchor="end" fill="${colour}">${name}</text>`,
    );
  }
  return `<g transform="translate(${left} ${top})">${parts.join('')}</g>`;
}

/** What one of the plots shows. */
export interface Plot {
  readonly title: string;
  readonly xTitle: string;
  readonly lines: readonly Line[];
}

/** Several plots in two columns as one SVG document. */
export function plotSheet(plots: readonly Plot[]): string {
  const rows = Math.ceil(plots.length / 2);
  const drawn = plots.map(({ title, xTitle, lines }, index) =>
    plot(title, xTitle, lines, (index % 2) * width, Math.floor(index / 2) * height),
  );
  const size = `width="${2 * width}" height="${rows * height}" viewBox="0 0 ${2 * width} ${rows * height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11"><title>Growth of the proxy beside nginx</title><rect width="100%" height="100%" fill="#fff"/>${drawn.join('')}</svg>\n`;
}
