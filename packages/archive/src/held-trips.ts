// What an archive holds, in numbers.
import type { WindowEntry } from './format/window-entry.js';
import { dayAfter, dayBefore, type Window } from './windows.js';

/** What an archive holds of one vehicle and series. */
export interface HeldTrips {
  readonly brand: string;
  readonly vehicle: string;
  readonly series: string;
  readonly files: number;
  readonly bytes: number;
  readonly trips: number;
  /** First day of the first window and last day of the last, yyyy-MM-dd. */
  readonly from: string;
  readonly to: string;
  /** Days between them that no window has: between two exports, or of windows that failed. */
  readonly gaps: readonly Window[];
}

/** What is held of a vehicle by series. @param entries in the order of series and days */
export function heldTrips(entries: readonly WindowEntry[]): readonly HeldTrips[] {
  const series = new Map<string, HeldTrips>();
  for (const entry of entries) {
    const { brand, vehicle, series: name, path, bytes, trips } = entry;
    const days = Object.keys(entry.days ?? {}).sort();
    const [from, to] = [days[0] ?? entry.from, days.at(-1) ?? entry.to];
    const none = { brand, vehicle, series: name, files: 0, bytes: 0, trips: 0, from, to: dayBefore(from), gaps: [] };
    const before: HeldTrips = series.get(name) ?? none;
    const next = dayAfter(before.to);
    series.set(name, {
      ...before,
      files: before.files + (path === null ? 0 : 1),
      bytes: before.bytes + bytes,
      trips: before.trips + trips,
      to,
      gaps: from > next ? [...before.gaps, { from: next, to: dayBefore(from) }] : before.gaps,
    });
  }
  return [...series.values()];
}
