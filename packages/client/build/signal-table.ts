import type { OperationSpec } from '@vehicle-data/openapi';

/** Unit, range and values of every signal, for the series module alone. */
export function signalTable(specs: readonly OperationSpec[]): string {
  const series = specs.flatMap((operation) => operation.series ?? []);
  const entries = series.map(({ name, startTime, duration, signals }) => {
    const lines = Object.entries(signals).map(([path, signal]) => {
      const { kind, ...facts } = signal;
      return `      ${JSON.stringify(path)}: ${JSON.stringify({ kind, ...facts })},`;
    });
    return `  ${JSON.stringify(name)}: {
    startTime: ${JSON.stringify(startTime)},
    duration: ${JSON.stringify(duration)},
    signals: {
${lines.join('\n')}
    },
  },`;
  });
  return `/** The series of the contract: names of the members that hold start and duration, and every signal by its path. */
export const seriesTable = {
${entries.join('\n')}
} as const;

/** The item of each series, as the service sends it. */
export interface SeriesItems {
${series.map(({ name, itemSchema }) => `  ${JSON.stringify(name)}: import('./schemas.js').${itemSchema};`).join('\n')}
}
`;
}
