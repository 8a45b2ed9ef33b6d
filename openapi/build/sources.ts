// Where lines of the contract come from that the API does not specify: the extension x-source.
import type { Place } from './place.ts';

const origins = ['assumed', 'observed', 'proxy', 'interface'] as const;
export type Origin = (typeof origins)[number];

/** One entry of `x-source`. */
export interface Source {
  readonly origin: Origin;
  /** Which keyword or part of the marked place. */
  readonly aspect: string;
  /** Why it is assumed, where it was observed, what the proxy sends it for, or the section of the interface. */
  readonly says: string;
  /** For `observed`: the day on which it was recorded. */
  readonly date: string | undefined;
  /** JSON Pointer of the marked place in the bundle. */
  readonly pointer: string;
}

const form = /^(?:(interface) (\d+(?:\.\d+)?)|(assumed|proxy): (\S.*)|(observed) (\d{4}-\d{2}-\d{2}): (\S.*))$/;

/** The entries of `x-source` at a place. */
export function readSources(place: Place): readonly Source[] {
  const marks = place.optional('x-source')?.entries() ?? [];
  return marks.map(([aspect, mark]) => {
    const found = form.exec(mark.string());
    if (!found)
      return mark.fail('expected "interface 1.2", "assumed: why", "observed yyyy-MM-dd: where" or "proxy: why"');
    const [, stated, section, own, why, observed, date, where] = found;
    const origin = origins.find((one) => one === (stated ?? own ?? observed)) ?? mark.fail('is of no known origin');
    return { origin, aspect, says: section ?? why ?? where ?? '', date, pointer: place.pointer };
  });
}

/** Every entry of `x-source` in the bundle, in its order. Members of examples are data, not marks. */
export function sourcesOf(place: Place): readonly Source[] {
  const { value } = place;
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return place.items().flatMap(sourcesOf);
  const inside = place.entries().filter(([key]) => !['example', 'examples', 'x-source'].includes(key));
  return [...readSources(place), ...inside.flatMap(([, member]) => sourcesOf(member))];
}
