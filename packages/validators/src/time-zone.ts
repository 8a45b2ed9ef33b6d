import { timeZoneList } from './generated/time-zone-list.js';

let known: ReadonlySet<string> | undefined;

/**
 * Whether a text is an identifier of the IANA time zone database: a zone, a link or `UTC`, in exact case. The list is
 * built into the package, so that the verdict does not change with the runtime; offsets and abbreviations are not in it.
 */
export function isTimeZone(text: string): boolean {
  known ??= readList();
  return known.has(text);
}

/** The list is written by region, `Region:City,City;…`, and read when it is first asked for. */
function readList(): ReadonlySet<string> {
  return new Set(
    timeZoneList.split(';').flatMap((group) => {
      const colon = group.indexOf(':');
      const region = group.slice(0, colon);
      return group
        .slice(colon + 1)
        .split(',')
        .map((city) => (region ? `${region}/${city}` : city));
    }),
  );
}
