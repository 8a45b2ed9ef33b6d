import { readFile } from 'node:fs/promises';
import type { OperationSpec } from '../../../src/contract.ts';
import { dateWindow } from './date-window.ts';
import { requestPath } from './request-path.ts';
import type { Figure } from './svg.ts';
import { tokenLifeCycle } from './token-life-cycle.ts';
import { type RecordedTrip, tripPlot } from './trip-plot.ts';

/** Every figure of the guides by its file name. */
export async function drawFigures(operations: readonly OperationSpec[]): Promise<Readonly<Record<string, Figure>>> {
  const trip = JSON.parse(await readFile(new URL('recorded-trip.json', import.meta.url), 'utf8')) as RecordedTrip;
  const units = new Map(
    operations
      .flatMap(({ series }) => Object.entries(series?.signals ?? {}))
      .flatMap(([path, signal]) => (signal.kind === 'number' ? [[path, signal.unit] as const] : [])),
  );
  const range = operations.find(({ dateRange }) => dateRange !== null)?.dateRange;
  if (!range) throw new Error('no operation has a date range to draw');
  return {
    'request-path': requestPath(),
    'token-life-cycle': tokenLifeCycle(),
    'date-window': dateWindow(range),
    trip: tripPlot(trip, units),
  };
}
