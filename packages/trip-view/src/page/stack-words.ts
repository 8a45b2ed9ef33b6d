import { extremesOf } from '../trip/extremes.js';
import type { Signal } from '../trip/signals.js';
import type { Stack } from '../trip/stacks.js';
import { counted, defectWords, valueInWords } from '../trip/words.js';

/** The value of a sample in words, or why it is none. */
export function readout(signal: Signal, index: number): string {
  const value = signal.values[index];
  if (signal.kind === 'number') {
    if (typeof value === 'number' && !Number.isNaN(value)) return `${valueInWords(value)} ${signal.unit}`;
  } else if (typeof value === 'string') return value;
  return defectAt(signal, index);
}

/** Why a sample is no value. */
export function defectAt(signal: Signal, index: number): string {
  const run = signal.defects.find(({ start, end }) => index >= start && index < end);
  return run ? defectWords[run.defect] : 'no sample';
}

/** What a lane shows, for those who do not see it. */
export function laneInWords(signals: Stack['lanes'][number]['signals'], unit: string): string {
  return signals
    .map((signal) => {
      const found = extremesOf(signal.values);
      const span = found ? `from ${valueInWords(found.low)} to ${valueInWords(found.high)} ${unit}` : 'no values';
      return `${signal.path}: ${counted(signal.length, 'sample')}, ${span}`;
    })
    .join('. ');
}

/** What a band shows, for those who do not see it. */
export function bandInWords(signal: Signal): string {
  if (signal.kind !== 'enumeration') return signal.path;
  const found = signal.allowed.filter((value) => signal.values.includes(value));
  return `${signal.path}: ${counted(signal.length, 'sample')}, values ${found.join(', ') || 'none'}`;
}

/** A path whose parts may stand on lines of their own. */
export function breakable(path: string): (Node | string)[] {
  return path.split(/(?<=\.)/).flatMap((part, index) => (index === 0 ? [part] : [document.createElement('wbr'), part]));
}
