import type { EventSpec } from '@vehicle-data/openapi/model';

/** The events of the contract as one type, and an example of each. */
export function eventTable(events: readonly EventSpec[]): string {
  const names = events.map(({ schema }) => schema);
  return `import type { ${names.join(', ')} } from './schemas.js';

/** An event that an operator receives when consent ends, as the contract describes it. Compare \`type\`. */
export type VehicleEvent = ${names.join(' | ')};

/** An example of each event, by its type. */
export const eventExamples = ${JSON.stringify(Object.fromEntries(events.map(({ type, example }) => [type, example])), null, 2)} as const satisfies {
  readonly [Type in VehicleEvent['type']]: Extract<VehicleEvent, { type: Type }>;
};
`;
}
