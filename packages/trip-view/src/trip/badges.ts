import { countOf, type Defect, type Signal } from './signals.js';
import { isUntimed } from './stacks.js';
import type { Trip } from './trip.js';
import { counted, durationInWords, valueInWords } from './words.js';

/** Something a reader should know before trusting a picture. */
export interface Badge {
  readonly kind: Defect | 'provisional' | 'copies' | 'overlap' | 'unequal' | 'time-unknown' | 'time-assumed';
  readonly label: string;
  /** A sentence that explains it. */
  readonly explanation: string;
}

const defectBadges = [
  ['out-of-range', 'out of range', 'Outside the range or the values of the contract, marked and not drawn'],
  ['missing', 'missing', 'No value was sent'],
  ['sentinel', 'marked as no value', 'Sent as "no value"'],
] as const;

/** What is not as a reader would expect of a trip, most important first. */
export function badgesOf({ signals, provisional, copies, overlaps }: Trip): Badge[] {
  const badges: Badge[] = [];
  const add = (kind: Badge['kind'], label: string, explanation: string) => badges.push({ kind, label, explanation });
  if (provisional)
    add('provisional', 'provisional', 'This trip was read early. It may still change when it is read again.');
  if (copies > 1)
    add('copies', `sent ${copies} times`, 'This trip was sent more than once. It is shown and counted once.');
  if (overlaps) add('overlap', 'overlaps', 'This trip starts before the one before it ends. One of the two is wrong.');
  for (const [defect, label, why] of defectBadges) {
    const found = signals.flatMap((signal) => {
      const count = countOf(signal, defect);
      const where = `${signal.path} (${valueInWords(count)} of ${counted(signal.length, 'sample')})`;
      return count > 0 ? [{ count, where }] : [];
    });
    const total = valueInWords(found.reduce((sum, { count }) => sum + count, 0));
    if (found.length > 0) add(defect, `${total} ${label}`, `${why}: ${found.map(({ where }) => where).join(', ')}.`);
  }
  const lengths = lengthsOf(signals).map(valueInWords);
  if (lengths.length > 1) {
    const found = `The arrays of this trip have ${lengths.join(', ')} samples. Nothing is stretched to fit.`;
    add('unequal', 'unequal lengths', found);
  }
  const unknown = signals.filter(isUntimed);
  if (unknown.length > 0) {
    const paths = unknown.map(({ path }) => path).join(', ');
    const label = unknown.length === signals.length ? 'time unknown' : 'time partly unknown';
    const why = shortfallInWords(unknown) ?? 'because nothing says when they were measured';
    add('time-unknown', label, `Shown by sample index, ${why}: ${paths}.`);
  }
  const assumed =
    'Samples are placed evenly over the trip; the API does not specify their times. The error is up to one step.';
  if (signals.some(({ timeBasis }) => timeBasis === 'assumed-even')) add('time-assumed', 'time assumed', assumed);
  return badges;
}

/** How much of the trip has no samples, where the usual step of the vehicle tells. */
function shortfallInWords(unknown: readonly Signal[]): string | undefined {
  const missing = Math.max(...unknown.map(({ unaccountedMs = 0 }) => unaccountedMs));
  const usual = unknown.find(({ unaccountedMs }) => unaccountedMs === missing);
  if (!usual || missing <= 0) return undefined;
  return `because they do not fill the trip: samples of about ${durationInWords(missing)} are missing, and nothing says where`;
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
