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
  const sum = (member: 'outOfRange' | 'missing' | 'sentinels') =>
    signals.reduce((total, signal) => total + signal[member], 0);
  const where = (member: 'outOfRange' | 'missing' | 'sentinels') =>
    signals
      .filter((signal) => signal[member] > 0)
      .map((signal) => `${signal.path} (${valueInWords(signal[member])} of ${counted(signal.length, 'sample')})`)
      .join(', ');
  if (sum('outOfRange') > 0)
    add(
      'out-of-range',
      `${valueInWords(sum('outOfRange'))} out of range`,
      `Outside the range or the values of the contract, marked and not drawn: ${where('outOfRange')}.`,
    );
  if (sum('missing') > 0)
    add('missing', `${valueInWords(sum('missing'))} missing`, `No value was sent: ${where('missing')}.`);
  if (sum('sentinels') > 0)
    add(
      'sentinel',
      `${valueInWords(sum('sentinels'))} marked as no value`,
      `Sent as "no value": ${where('sentinels')}.`,
    );
  const lengths = new Set(signals.map(({ length }) => length));
  if (lengths.size > 1)
    add(
      'unequal',
      'unequal lengths',
      `The arrays of this trip have ${[...lengths]
        .sort((a, b) => b - a)
        .map((length) => valueInWords(length))
        .join(', ')} samples. Nothing is stretched to fit.`,
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
