import type { OperationSpec } from '@vehicle-data/openapi';

/** Unit, range and values of every signal, for the series module alone. */
export function signalTable(specs: readonly OperationSpec[]): string {
  const series = specs.flatMap(({ series: one, dateRange }) => (one && dateRange ? { ...one, ...dateRange } : []));
  const entries = series.map(({ name, startTime, duration, sampleTimes, maxDays, signals }) => {
    const lines = Object.entries(signals).map(([path, signal]) => {
      const { kind, ...facts } = signal;
      return `      ${JSON.stringify(path)}: ${JSON.stringify({ kind, ...facts })},`;
    });
    return `  ${JSON.stringify(name)}: {
    startTime: ${JSON.stringify(startTime)},
    duration: ${JSON.stringify(duration)},
    sampleTimes: ${JSON.stringify(sampleTimes)},
    maxDays: ${maxDays},
    signals: {
${lines.join('\n')}
    },
  },`;
  });
  return `/** The series of the contract: names of the members that hold start and duration, where the times of samples come from, how many days a call may reach, and every signal by its path. */
export const seriesTable = {
${entries.join('\n')}
} as const;

/** The item of each series, as the service sends it. */
export interface SeriesItems {
${series.map(({ name, itemSchema }) => `  ${JSON.stringify(name)}: import('./schemas.js').${itemSchema};`).join('\n')}
}
`;
}
