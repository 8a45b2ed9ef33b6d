import { Random } from './fleet/random.js';
import type { Schema } from './generated/responses.js';

/** Data made from a schema, the same for the same seed parts. Times are before `nowMs`, an hour apart. */
export function sampleData(whole: Schema, nowMs: number, ...seed: readonly (string | number)[]): object {
  const random = new Random(...seed);
  let timeMs = nowMs;
  const objectOf = ({ properties = {} }: Schema): object =>
    Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sample(member)]));
  const sample = (schema: Schema): unknown => {
    const { type, enum: values, minimum, maximum, example, items } = schema;
    if (values) return random.pick(values);
    if (type === 'object') return objectOf(schema);
    if (type === 'array') {
      return items ? Array.from({ length: items.type === 'object' ? 2 : 8 }, () => sample(items)) : [];
    }
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'integer' || type === 'number') {
      if (minimum === undefined || maximum === undefined) return example ?? random.whole(0, 100);
      const value = random.between(minimum, maximum);
      return type === 'integer' ? Math.floor(value) : Math.trunc(value * 10) / 10;
    }
    if (schema.format !== 'date-time') return example ?? 'sample';
    timeMs -= 3_600_000;
    const time = new Date(timeMs).toISOString();
    return schema.pattern && !new RegExp(schema.pattern).test(time) ? `${time.slice(0, 19)}Z` : time;
  };
  return objectOf(whole);
}
