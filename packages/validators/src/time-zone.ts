import { timeZoneList } from './generated/time-zone-list.js';

let known: ReadonlySet<string> | undefined;

/**
 * Whether a text is an identifier of the IANA time zone database: a zone, a link or `UTC`, in exact case. The list is
 * built into the package, so that the verdict does not change with the runtime. Offsets are not in it, nor are most abbreviations.
 */
export function isTimeZone(text: string): boolean {
  known ??= new Set(timeZoneList.split(' '));
  return known.has(text);
}
