import type { OperationSpec } from '@vehicle-data/openapi';

/** The operations that iterators read window by window, for the parts that are loaded with the first step. */
export function tripSeries(specs: readonly OperationSpec[]): string {
  const series = specs.flatMap(({ operationId, series: one, dateRange }) =>
    one && dateRange ? [{ operationId, ...dateRange, ...one }] : [],
  );
  const entries = series.map(
    ({ name, operationId, start, end, maxDays, items, startTime, duration }) =>
      `  { name: '${name}', operation: ${operationId}, start: '${start}', end: '${end}', maxDays: ${maxDays}, items: '${items}', startTime: '${startTime}', duration: '${duration}' },`,
  );
  return `import type { TripSeries } from '../trips/windows.js';
import { ${series.map(({ operationId }) => operationId).join(', ')} } from './operations.js';

export const tripSeries: readonly TripSeries[] = [
${entries.join('\n')}
];
`;
}
