import type { ErrorEntry, VssNames } from '@vehicle-data/openapi';
import { stopBuild } from '@vehicle-data/openapi/model';
import { listOf } from './methods.ts';
import { type Operation, seriesOf } from './operation-table.ts';

/** The facts of each error code that decide what the client does; messages and remedies stay in the reference. */
export function errorTable(catalogue: readonly ErrorEntry[]): string {
  for (const [index, { resolution, temporary }] of catalogue.entries()) {
    if (temporary !== (resolution === 'retry' || resolution === 'no-data')) {
      const rule = 'an error is temporary where its resolution is retry or no-data, and nowhere else';
      stopBuild(`/x-error-catalogue/${index}/temporary`, rule);
    }
  }
  const resolutions = [...new Set(catalogue.map(({ resolution }) => resolution))];
  const codesOf = (isMeant: (entry: ErrorEntry) => boolean) =>
    JSON.stringify(catalogue.filter(isMeant).map(({ code }) => code));
  return `/** What to do next after an error of the catalogue. */
export type CatalogueResolution = ${resolutions.map((name) => `'${name}'`).join(' | ')};

/** The error codes of the catalogue. Services may send others. */
export type ErrorCode =
${catalogue.map(({ code, meaning }) => `  /** ${meaning} */\n  | '${code}'`).join('\n')};

/** The codes of each resolution. */
export const codes: Readonly<Record<CatalogueResolution, readonly string[]>> = {
${resolutions.map((name) => `  '${name}': ${codesOf(({ resolution }) => resolution === name)},`).join('\n')}
};

/** The codes after which a DELETE may have taken effect. */
export const perhapsDone: readonly string[] = ${codesOf(({ mayHaveTakenEffect }) => mayHaveTakenEffect)};
`;
}

/** Unit, range and values of every signal, for the series module alone. */
export function signalTable(specs: readonly Operation[]): string {
  const entries = seriesOf(specs).map(({ name, startTime, duration, sampleTimes, maxDays, signals }) => [
    name,
    { startTime, duration, sampleTimes, maxDays, signals },
  ]);
  return `/** The series of the contract: names of the members that hold start and duration, where the times of samples come from, how many days a call may reach, and every signal by its path. */
export const seriesTable = ${JSON.stringify(Object.fromEntries(entries), null, 2)} as const;

/** The item of each series, as the service sends it. */
export interface SeriesItems {
${seriesOf(specs)
  .map(({ name, itemSchema }) => `  ${JSON.stringify(name)}: import('./schemas.js').${itemSchema};`)
  .join('\n')}
}
`;
}

/** Where each signal goes in the COVESA Vehicle Signal Specification, for the module that converts to it. */
export function vssTable({ catalogue, series, records }: VssNames, specs: readonly Operation[]): string {
  return `/** Version of the VSS catalogue that the names are of. */
export const vssCatalogue = ${JSON.stringify(catalogue)};

/** Where each signal goes in the COVESA Vehicle Signal Specification, by its path in the contract. */
export const vssTable = ${JSON.stringify(series, null, 2)} as const;

/** Where each value that a vehicle last reported goes in the COVESA Vehicle Signal Specification, by operation and path. */
export const vssRecordTable = ${JSON.stringify(records, null, 2)} as const;

/** The member of each record that holds when the vehicle sent it. */
export const vssMeasuredAt = ${JSON.stringify(Object.fromEntries(specs.flatMap(({ operationId, measuredAt }) => (operationId in records ? [[operationId, measuredAt]] : []))))} as const;

/** The record of each operation, as the service sends it. */
export interface VssRecords {
${specs
  .filter(({ operationId }) => operationId in records)
  .map(({ operationId, data }) => `  ${operationId}: import('./schemas.js').${data};`)
  .join('\n')}
}
`;
}

/** The operations that iterators read window by window, for the parts that are loaded with the first step. */
export function tripSeries(specs: readonly Operation[]): string {
  const entries = seriesOf(specs).map(
    ({ operationId, name, start, end, maxDays, items, startTime, duration }) =>
      `  { operation: ${operationId}, ...${JSON.stringify({ name, start, end, maxDays, items, startTime, duration })} },`,
  );
  return `import type { TripSeries } from '../trips/trip-identity.js';
import { ${listOf(seriesOf(specs).map(({ operationId }) => operationId))} } from './operations.js';

export const tripSeries: readonly TripSeries[] = [
${entries.join('\n')}
];
`;
}
