import { valueRuns } from '../trip/bands.js';
import { type Stack, stepOf } from '../trip/stacks.js';
import { counted } from '../trip/words.js';
import { table } from './element.js';
import type { View } from './lane-chart.js';
import { defectAt } from './stack-words.js';

/** Runs of a signal that a table shows at most. */
const mostRuns = 500;

/** The values of each band in the part that is shown: the table twin of the bands. */
export function bandTable({ bands, axis }: Stack, view: View, placeInWords: (position: number) => string): Node {
  const rows = bands.flatMap((signal) => {
    const step = stepOf(axis, signal);
    return valueRuns(signal.values)
      .filter(({ start, end }) => end * step > view.from && start * step < view.to)
      .slice(0, mostRuns)
      .map(({ value, start, end }) => {
        const shown = value ?? `none (${defectAt(signal, start)})`;
        return [signal.path, shown, placeInWords(start * step), counted(end - start, 'sample')];
      });
  });
  const caption = `Values of each band in the part that is shown (${mostRuns} runs a signal at most)`;
  return table(caption, ['Signal', 'Value', 'From', 'For'], rows);
}
