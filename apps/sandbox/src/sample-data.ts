import type { OperationId } from '@vehicle-data/openapi';
import { Random } from './fleet/random.js';
import { responses, type Schema } from './generated/responses.js';
import type { Call } from './operations.js';

const anHourMs = 3_600_000;

/** The `data` of an operation that the sandbox does not play: made from its schema, the same for every call of one vehicle. */
export function sampleData(id: OperationId, seed: number, { vehicle, facts }: Call<OperationId>): object {
  const random = new Random(seed, vehicle?.vin ?? '', id);
  let timeMs = facts.nowMs;
  const sample = (schema: Schema): unknown => {
    const { type, enum: values, minimum, maximum, example } = schema;
    if (values) return random.pick(values);
    if (type === 'object') {
      const members = Object.entries(schema.properties ?? {});
      return Object.fromEntries(members.map(([name, member]) => [name, sample(member)]));
    }
    if (type === 'array') {
      const { items } = schema;
      return items ? Array.from({ length: items.type === 'object' ? 2 : 8 }, () => sample(items)) : [];
    }
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'integer' || type === 'number') {
      if (minimum === undefined || maximum === undefined) return example ?? random.whole(0, 100);
      const value = random.between(minimum, maximum);
      return type === 'integer' ? Math.floor(value) : Math.trunc(value * 10) / 10;
    }
    if (schema.format === 'date-time') {
      timeMs -= anHourMs;
      const time = new Date(timeMs).toISOString();
      return schema.pattern && !new RegExp(schema.pattern).test(time) ? `${time.slice(0, 19)}Z` : time;
    }
    return example ?? 'sample';
  };
  const data = sample(responses[id]?.data ?? { type: 'object' });
  return typeof data === 'object' && data !== null ? data : {};
}
