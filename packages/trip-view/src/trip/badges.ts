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
export function badgesOf(trip: Trip): Badge[] {
  const { signals } = trip;
  const badges: Badge[] = [];
  const add = (kind: Badge['kind'], label: string, explanation: string) => badges.push({ kind, label, explanation });
  if (trip.provisional)
    add('provisional', 'provisional', 'This trip was read early. It may still change when it is read again.');
  const addCounted = (
    kind: Badge['kind'],
    member: 'outOfRange' | 'missing' | 'sentinels',
    words: string,
    explanation: string,
  ) => {
    const found = signals.filter((signal) => signal[member] > 0);
    const total = found.reduce((sum, signal) => sum + signal[member], 0);
    const where = found.map((one) => `${one.path} (${valueInWords(one[member])} of ${counted(one.length, 'sample')})`);
    if (total > 0) add(kind, `${valueInWords(total)} ${words}`, `${explanation}: ${where.join(', ')}.`);
  };
  const outside = 'Outside the range or the values of the contract, marked and not drawn';
  addCounted('out-of-range', 'outOfRange', 'out of range', outside);
  addCounted('missing', 'missing', 'missing', 'No value was sent');
  addCounted('sentinel', 'sentinels', 'marked as no value', 'Sent as "no value"');
  const lengths = new Set(signals.map(({ length }) => length).sort((a, b) => b - a));
  if (lengths.size > 1)
    add(
      'unequal',
      'unequal lengths',
      `The arrays of this trip have ${[...lengths].map(valueInWords).join(', ')} samples. Nothing is stretched to fit.`,
    );
  const unknown = signals.filter(({ timeBasis }) => timeBasis === 'unknown');
  if (unknown.length > 0)
    add(
      'time-unknown',
      unknown.length === signals.length ? 'time unknown' : 'time partly unknown',
      `Shown by sample index, because nothing says when they were measured: ${unknown.map(({ path }) => path).join(', ')}.`,
    );
  if (signals.some(({ timeBasis }) => timeBasis === 'assumed-even'))
    add(
      'time-assumed',
      'time assumed',
      'Samples are placed evenly over the trip; the interface does not specify their times. The error is up to one step.',
    );
  return badges;
}
