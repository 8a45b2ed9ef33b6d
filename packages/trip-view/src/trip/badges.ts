import { isUntimed } from './stacks.js';
import type { Trip } from './trip.js';
import { counted, valueInWords } from './words.js';

/** Something a reader should know before trusting a picture. */
export interface Badge {
  readonly kind: 'provisional' | 'out-of-range' | 'missing' | 'sentinel' | 'unequal' | 'time-unknown' | 'time-assumed';
  readonly label: string;
  /** A sentence that explains it. */
  readonly explanation: string;
}

/** What is not as a reader would expect of a trip, most important first. */
export function badgesOf({ signals, provisional }: Trip): Badge[] {
  const badges: Badge[] = [];
  const add = (kind: Badge['kind'], label: string, explanation: string) => badges.push({ kind, label, explanation });
  const addCounted = (
    kind: Badge['kind'],
    member: 'outOfRange' | 'missing' | 'sentinels',
    words: string,
    why: string,
  ) => {
    const found = signals.filter((signal) => signal[member] > 0);
    const total = found.reduce((sum, signal) => sum + signal[member], 0);
    const where = found.map((one) => `${one.path} (${valueInWords(one[member])} of ${counted(one.length, 'sample')})`);
    if (total > 0) add(kind, `${valueInWords(total)} ${words}`, `${why}: ${where.join(', ')}.`);
  };
  if (provisional)
    add('provisional', 'provisional', 'This trip was read early. It may still change when it is read again.');
  const outside = 'Outside the range or the values of the contract, marked and not drawn';
  addCounted('out-of-range', 'outOfRange', 'out of range', outside);
  addCounted('missing', 'missing', 'missing', 'No value was sent');
  addCounted('sentinel', 'sentinels', 'marked as no value', 'Sent as "no value"');
  const lengths = lengthsOf(signals).map(valueInWords);
  if (lengths.length > 1) {
    const found = `The arrays of this trip have ${lengths.join(', ')} samples. Nothing is stretched to fit.`;
    add('unequal', 'unequal lengths', found);
  }
  const unknown = signals.filter(isUntimed);
  if (unknown.length > 0) {
    const paths = unknown.map(({ path }) => path).join(', ');
    const label = unknown.length === signals.length ? 'time unknown' : 'time partly unknown';
    add('time-unknown', label, `Shown by sample index, because nothing says when they were measured: ${paths}.`);
  }
  const assumed =
    'Samples are placed evenly over the trip; the interface does not specify their times. The error is up to one step.';
  if (signals.some(({ timeBasis }) => timeBasis === 'assumed-even')) add('time-assumed', 'time assumed', assumed);
  return badges;
}

/** The lengths of arrays, the longest first. */
export function lengthsOf(signals: Trip['signals']): number[] {
  return [...new Set(signals.map(({ length }) => length))].sort((a, b) => b - a);
}

/** What stands below a picture of a trip: that there is nothing to draw, and badges that not every trip has. */
export function notesOf(trip: Trip): string[] {
  const isEmpty = trip.signals.every(({ length }) => length === 0);
  const badges = badgesOf(trip).filter(({ kind }) => kind !== 'time-assumed');
  return [
    ...(isEmpty ? ['There is nothing to draw: no signal of this trip has a sample.'] : []),
    ...badges.map(({ label, explanation }) => `${label}: ${explanation}`),
  ];
}
