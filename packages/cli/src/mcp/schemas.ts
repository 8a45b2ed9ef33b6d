// JSON Schemas of what the tools of an agent return.

import { factNames } from '../commands/trip-facts.js';
import type { OperationCommand } from '../operation-command.js';

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** An object that has these members and no others. */
export const objectOf = (
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): ObjectSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const maybe = (type: 'number' | 'string') => ({ type: [type, 'null'] }) as const;
const listOf = (items: object) => ({ type: 'array', items }) as const;
const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const counts = { type: 'object', additionalProperties: count, description: 'How many of each kind.' } as const;
const next = {
  type: 'string',
  description: 'Pass it as cursor to get what follows. Absent on the last page.',
} as const;

const factMembers = {
  value: maybe('number'),
  low: { ...maybe('number'), description: 'The least that it can be.' },
  high: { ...maybe('number'), description: 'The most that it can be; null where nothing bounds it.' },
  unit: text,
  basis: { type: 'string', enum: ['sent', 'derived', 'assumed-time'], description: 'Where the value comes from.' },
} as const;
const fact = objectOf(factMembers);
const sum = objectOf({
  ...factMembers,
  unknown: { ...count, description: 'Trips that do not tell. The value leaves them out.' },
});
const facts = objectOf(Object.fromEntries(factNames.map((name) => [name, fact])));
const moment = {
  kind: text,
  startTime: { ...maybe('string'), description: 'Assumed, as the end is.' },
  endTime: maybe('string'),
  values: { type: 'object', description: 'What made it. The unit is in the name.' },
  series: text,
  from: { ...count, description: 'Index of its first sample.' },
  to: { ...count, description: 'Index after its last sample.' },
  signals: listOf(text),
} as const;
const head = {
  trip: { type: 'integer', minimum: 1 },
  startTime: maybe('string'),
  durationMs: maybe('number'),
  distance: nullable(objectOf({ value: { type: 'number' }, unit: text })),
} as const;
const part = {
  trips: count,
  distance: sum,
  duration: sum,
  standing: sum,
  unbelted: sum,
  topSpeed: nullable(fact),
  moments: counts,
} as const;

const findings = (items: object) => objectOf({ count, first: listOf(items) });
const qualityMonth = objectOf({
  vehicle: text,
  brand: text,
  month: text,
  tripsByDay: { ...listOf(count), description: 'The first day of the month first.' },
  daysWithTrips: count,
  trips: count,
  drivenKm: { type: 'number', description: 'By the odometer, in trips.' },
  missingKm: { type: 'number', description: 'By the odometer, between trips.' },
  gaps: findings(objectOf({ after: text, before: text, km: { type: 'number' } })),
  overlapping: findings(text),
  oneSided: findings(objectOf({ start: maybe('string'), series: text })),
  late: findings(objectOf({ start: text, series: text, firstSeenAt: text, latenessMs: { type: 'number' } })),
  changed: findings(text),
  untimed: findings(text),
  unknownShare: { type: 'number', description: 'Of the time of trips, 0 to 1.' },
  samplesPerSecond: objectOf({ lowest: maybe('number'), median: maybe('number'), highest: maybe('number') }),
  outOfRange: count,
  missing: count,
  members: findings(text),
  windowsMissing: findings(objectOf({ series: text, from: text, to: text })),
  alarms: counts,
});

export const outputs = {
  list_trips: objectOf(
    { trips: listOf(objectOf({ ...head, facts, moments: counts })), total: count, nextCursor: next },
    ['nextCursor'],
  ),
  trip_summary: objectOf({
    ...head,
    facts,
    moments: listOf(objectOf(moment)),
    momentsTotal: count,
    signals: { type: 'object', additionalProperties: { type: 'object' }, description: 'By the path of the signal.' },
  }),
  plot_trip: objectOf({ trip: head.trip, startTime: head.startTime, signals: listOf(text), mimeType: text }),
  week_summary: objectOf({
    from: text,
    to: text,
    zone: text,
    days: listOf(objectOf({ day: text, ...part })),
    total: objectOf(part),
    moments: listOf(objectOf({ tripStartTime: maybe('string'), ...moment })),
    momentsTotal: count,
  }),
  query_archive: objectOf({ rows: listOf({ type: 'object' }), truncated: { type: 'boolean' }, nextCursor: next }, [
    'nextCursor',
  ]),
  archive_quality: objectOf({ zone: text, months: listOf(qualityMonth), total: count, nextCursor: next }, [
    'nextCursor',
  ]),
} as const;

/**
 * What the tool of an operation returns. The service may send values that the contract does not allow, and these are shown as they are:
 * below `data` the schema describes and excludes nothing.
 */
export const outputOf = ({ dataSchema, items }: OperationCommand): ObjectSchema =>
  objectOf(
    {
      data: { type: 'object', ...described(dataSchema) },
      units: { type: 'object', additionalProperties: text },
      dataAgeMs: { ...maybe('number'), description: 'Age of the record; null where it has no time.' },
      ...(items === null ? {} : { total: count, nextCursor: next }),
    },
    ['dataAgeMs', 'total', 'nextCursor'],
  );

/** The members of a schema with their descriptions, under the names that an agent sees. */
function described(schema: unknown): Readonly<Record<string, unknown>> {
  if (typeof schema !== 'object' || schema === null) return {};
  const { description, properties, items }: { description?: string; properties?: object; items?: object } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(items === undefined ? {} : { items: described(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) =>
              name === 'vin' ? ['vehicle', { description: 'Name of the vehicle.' }] : [name, described(member)],
            ),
          ),
        }),
  };
}
