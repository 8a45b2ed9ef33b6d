// What a reader takes along of a trip: a picture, or the samples that are shown.

import { stepOf } from '../trip/stacks.js';
import type { Trip } from '../trip/trip.js';
import { basisWords } from '../trip/words.js';
import { tripSvg } from '../trip-svg.js';
import { h } from './element.js';
import type { StackView } from './stack-view.js';

/** Pixels of a picture for each of the SVG. */
const pictureScale = 2;

export function takeAlong(trip: Trip, stack: StackView): HTMLElement {
  const name = `trip-${new Date(trip.startTime).toISOString().slice(0, 16).replaceAll(':', '')}`;
  const status = h('span.note', { role: 'status' });
  const save = (content: Blob, ending: string) => {
    const href = URL.createObjectURL(content);
    h('a', { href, download: `${name}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
    status.textContent = `Saved as ${name}.${ending}.`;
  };
  const svg = () => {
    const part = stack.view();
    const isWhole = part.from === 0 && part.to === stack.extent;
    return tripSvg(trip, { placement: stack.axis, part: isWhole ? undefined : part });
  };
  const actions: Readonly<Record<string, () => void>> = {
    SVG: () => save(new Blob([svg()], { type: 'image/svg+xml' }), 'svg'),
    PNG: () => {
      const image = new Image();
      image.addEventListener('load', () => {
        const canvas = h('canvas', { width: image.width * pictureScale, height: image.height * pictureScale });
        canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => blob && save(blob, 'png'));
      });
      image.src = `data:image/svg+xml,${encodeURIComponent(svg())}`;
    },
    CSV: () => save(new Blob([csvOf(trip, stack)], { type: 'text/csv' }), 'csv'),
  };
  const buttons = Object.entries(actions).map(([text, onclick]) => h('button', { onclick }, text));
  return h(
    'section.take-along',
    { 'aria-label': 'Take along' },
    h('span.note', 'Take along what the lanes show: '),
    ...buttons,
    status,
  );
}

/** The samples that a stack shows, as sent, one row each. Values of the contract need no quotes, others are left out. */
function csvOf(trip: Trip, { axis, signals, view }: StackView): string {
  const { from, to } = view();
  const sent = signals.filter(({ path }) => path !== 'speed');
  const [first] = sent;
  const step = first ? stepOf(axis, first) : 1;
  const heads = sent.map((signal) => (signal.kind === 'number' ? `${signal.path} (${signal.unit})` : signal.path));
  const place = { time: 'time_assumed', index: 'index', distance: 'distance_m' }[axis];
  const rows = [[place, ...heads].join(',')];
  const most = Math.max(0, ...sent.map(({ length }) => length));
  const end = Math.min(most, Math.ceil(to / step));
  for (let index = Math.max(0, Math.floor(from / step)); index < end; index += 1) {
    const at = axis === 'time' ? new Date(trip.startTime + index * step).toISOString() : index * step;
    const cells = sent.map((signal) => {
      const value = signal.values[Math.floor((index * step) / stepOf(axis, signal) + 1e-9)];
      if (value === null || value === undefined || Number.isNaN(value)) return '';
      return signal.kind === 'number' ? Number((Number(value) + signal.offset).toFixed(6)) : value;
    });
    rows.push([at, ...cells].join(','));
  }
  return `# ${basisWords[axis]}\n${rows.join('\n')}\n`;
}
