// What a reader takes along of a trip: a picture, or the samples that are shown.

import type { Trip } from '../trip/trip.js';
import { tripSvg } from '../trip-svg.js';
import { h } from './element.js';
import { csvOf, mcapOf, parquetOf, shownSamples } from './shown-samples.js';
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
    CSV: () => save(new Blob([csvOf(shownSamples(trip, stack))], { type: 'text/csv' }), 'csv'),
    Parquet: () => save(new Blob([parquetOf(shownSamples(trip, stack))]), 'parquet'),
    MCAP: () => void mcapOf(shownSamples(trip, stack)).then((file) => save(file, 'mcap')),
  };
  const buttons = Object.entries(actions).map(([text, onclick]) => {
    const lacksTimes = text === 'MCAP' && stack.axis !== 'time';
    const title = lacksTimes
      ? 'Samples of an MCAP file have times: choose "Assumed time" where it can be chosen'
      : false;
    return h('button', { onclick, disabled: lacksTimes, title }, text);
  });
  return h(
    'section.take-along',
    { 'aria-label': 'Take along' },
    h('span.note', 'Take along what the lanes show: '),
    ...buttons,
    status,
  );
}
