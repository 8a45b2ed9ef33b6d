import { basicDateOf, dayNumber } from '../calendar-days.js';
import { membersOf } from '../rules.js';

/** How far one vehicle and series was read. */
export interface SyncState {
  /** Last day that was read. */
  readonly through: number;
  /** Hashes of the trips of the days that are read again. */
  readonly seen: ReadonlyMap<string, number>;
}

/** States by the hash of vehicle, series and zone: a checkpoint names no vehicle. */
export type SyncStates = ReadonlyMap<string, SyncState>;

const version = 1;

/** A checkpoint as text. Days are written yyyyMMdd. */
export function writeCheckpoint(states: SyncStates): string {
  const sources = [...states].map(([source, { through, seen }]) => [
    source,
    { through: basicDateOf(through), seen: [...seen].map(([hash, day]) => `${hash}@${basicDateOf(day)}`) },
  ]);
  return JSON.stringify({ version, sources: Object.fromEntries(sources) });
}

/** `undefined` where the text is no checkpoint. */
export function readCheckpoint(text: unknown): SyncStates | undefined {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return undefined;
  }
  const { version: written, sources } = membersOf(value) ?? {};
  const entries = Object.entries(membersOf(sources) ?? {});
  if (written !== version || membersOf(sources) === undefined) return undefined;
  const states = new Map<string, SyncState>();
  for (const [source, state] of entries) {
    const { through, seen } = membersOf(state) ?? {};
    const day = dayNumber(String(through));
    if (day === undefined || !Array.isArray(seen)) return undefined;
    const hashes = seen.map((one): [string, number] => {
      const [hash = '', date = ''] = String(one).split('@');
      return [hash, dayNumber(date) ?? day];
    });
    states.set(source, { through: day, seen: new Map(hashes) });
  }
  return states;
}
