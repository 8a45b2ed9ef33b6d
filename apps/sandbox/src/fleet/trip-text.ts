import type { SeriesSpec } from '@vehicle-data/openapi';
import { sampleMs, type Trip } from './car.js';
import { type Column, columns, type TripSignals } from './columns.js';
import type { Traits } from './traits.js';

const encoder = new TextEncoder();
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;

/**
 * Writes trips as JSON bytes, column by column, without building objects. The names and their order come from the
 * contract's table of signals; each number is held within its stated range.
 */
export class TripWriter {
  #bytes = new Uint8Array(1 << 20);
  #at = 0;

  /** One item of a series, as JSON. */
  write(trip: Trip, signals: TripSignals, traits: Traits, series: SeriesSpec): Uint8Array<ArrayBuffer> {
    this.#at = 0;
    const start = JSON.stringify(new Date(trip.startMs).toISOString());
    this.#text(`{"${series.startTime}":${start},"${series.duration}":${trip.samples * sampleMs}`);
    let open: readonly string[] = [];
    for (const [path, signal] of Object.entries(series.signals)) {
      const column = columns[path]?.(signals, traits);
      if (!column) continue;
      const names = path.split('.');
      const groups = names.slice(0, -1);
      let shared = 0;
      while (shared < open.length && open[shared] === groups[shared]) shared++;
      this.#text('}'.repeat(open.length - shared));
      let separator = ',';
      for (const group of groups.slice(shared)) {
        this.#text(`${separator}"${group}":{`);
        separator = '';
      }
      open = groups;
      this.#text(`${separator}"${names.at(-1)}":[`);
      const limit = signal.kind === 'number' ? signal : { minimum: null, maximum: null };
      this.#column(column, trip.samples, limit.minimum, limit.maximum);
      this.#bytes[this.#at++] = 0x5d;
    }
    this.#text(`${'}'.repeat(open.length)}}`);
    return this.#bytes.slice(0, this.#at);
  }

  #column(column: Column, samples: number, minimum: number | null, maximum: number | null): void {
    // No number of a column is longer than a sign, ten digits, a point and a comma.
    if (column.kind === 'numbers') {
      this.#reserve(samples * 13);
      const scale = 10 ** column.decimals;
      const lowest = minimum === null ? -2147483648 : Math.ceil(minimum * scale);
      const highest = maximum === null ? 2147483647 : Math.floor(maximum * scale);
      this.#at = writeNumbers(this.#bytes, this.#at, column.samples, column.decimals, lowest, highest);
    } else if (column.kind === 'constant') {
      this.#run(encoder.encode(`"${column.name}",`), samples);
    } else {
      const texts = column.names.map((name) => encoder.encode(`"${name}",`));
      let begin = 0;
      while (begin < samples) {
        const choice = column.samples[begin] as number;
        let end = begin + 1;
        while (end < samples && column.samples[end] === choice) end++;
        this.#run(texts[choice] as Uint8Array, end - begin);
        begin = end;
      }
    }
    if (samples > 0) this.#at--;
  }

  /** Writes the same bytes many times, doubling what is there. */
  #run(unit: Uint8Array, times: number): void {
    const length = unit.length * times;
    this.#reserve(length);
    const bytes = this.#bytes;
    const begin = this.#at;
    bytes.set(unit, begin);
    for (let filled = unit.length; filled < length; filled *= 2) {
      bytes.copyWithin(begin + filled, begin, begin + Math.min(filled, length - filled));
    }
    this.#at = begin + length;
  }

  #text(text: string): void {
    this.#reserve(text.length * 3);
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written;
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#at + more));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

/** The four digits of every number below 10,000: most samples are that short, and looking digits up is quicker than dividing. */
const fourDigits = Uint8Array.from({ length: 40_000 }, (_, i) => zero + (Math.floor(i / 4 / 10 ** (3 - (i % 4))) % 10));

/** Writes whole multiples of 10^-decimals, each followed by a comma, in the shortest form. Returns where it ended. */
function writeNumbers(
  bytes: Uint8Array,
  start: number,
  samples: Int32Array,
  decimals: number,
  lowest: number,
  highest: number,
): number {
  const scale = 10 ** decimals;
  let at = start;
  let before = Number.NaN;
  let beforeAt = start;
  for (let i = 0; i < samples.length; i++) {
    let value = samples[i] as number;
    if (value < lowest) value = lowest;
    else if (value > highest) value = highest;
    const begin = at;
    if (value === before) {
      for (let from = beforeAt; from < begin; from++) bytes[at++] = bytes[from] as number;
      beforeAt = begin;
      continue;
    }
    before = value;
    beforeAt = begin;
    if (value < 0) {
      bytes[at++] = minus;
      value = -value;
    }
    if (value < 10_000) {
      const digits = value * 4;
      const a = fourDigits[digits] as number;
      const b = fourDigits[digits + 1] as number;
      const c = fourDigits[digits + 2] as number;
      const d = fourDigits[digits + 3] as number;
      if (decimals === 1) {
        if (value >= 1000) bytes[at++] = a;
        if (value >= 100) bytes[at++] = b;
        bytes[at++] = c;
        if (d !== zero) {
          bytes[at++] = point;
          bytes[at++] = d;
        }
      } else if (decimals === 2) {
        if (value >= 1000) bytes[at++] = a;
        bytes[at++] = b;
        if (c !== zero || d !== zero) {
          bytes[at++] = point;
          bytes[at++] = c;
          if (d !== zero) bytes[at++] = d;
        }
      } else {
        bytes[at++] = a;
        if (b !== zero || c !== zero || d !== zero) {
          bytes[at++] = point;
          bytes[at++] = b;
          if (c !== zero || d !== zero) bytes[at++] = c;
          if (d !== zero) bytes[at++] = d;
        }
      }
    } else {
      const whole = (value / scale) | 0;
      at = writeDigits(bytes, at, whole);
      let fraction = value - whole * scale;
      if (fraction > 0) {
        bytes[at++] = point;
        for (let place = (scale / 10) | 0; fraction > 0; place = (place / 10) | 0) {
          const digit = (fraction / place) | 0;
          bytes[at++] = zero + digit;
          fraction -= digit * place;
        }
      }
    }
    bytes[at++] = comma;
  }
  return at;
}

function writeDigits(bytes: Uint8Array, start: number, whole: number): number {
  let at = start;
  let divisor = 1;
  while (divisor * 10 <= whole) divisor *= 10;
  for (let rest = whole; divisor >= 1; divisor = (divisor / 10) | 0) {
    const digit = (rest / divisor) | 0;
    bytes[at++] = zero + digit;
    rest -= digit * divisor;
  }
  return at;
}
