import { basicDateOf, dayNumber } from '../calendar-days.js';
import type { DayWindow } from './read-windows.js';

/** Where an iteration stands: in which window, and after which trip. */
export interface TripCursor {
  /** Vehicle, series and zone, hashed. */
  readonly source: string;
  readonly window: DayWindow;
  /** Start and length of the last trip. */
  readonly id: string;
}

export function writeCursor({ source, window, id }: TripCursor): string {
  return `${source}/${basicDateOf(window.first)}/${basicDateOf(window.last)}/${id}`;
}

/** `undefined` where the text is no cursor. */
export function readCursor(text: unknown): TripCursor | undefined {
  const [, source = '', from = '', to = '', id = ''] = /^(\w+)\/(\d{8})\/(\d{8})\/(.+)$/.exec(String(text)) ?? [];
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return first === undefined || last === undefined || first > last
    ? undefined
    : { source, window: { first, last }, id };
}
