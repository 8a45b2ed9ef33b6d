import type { SeriesName } from '@vehicle-data/client/series';

/** Fetches the trips of one window: the only way in which an archive reaches the service. */
export type ReadWindow = (request: WindowRequest) => Promise<readonly unknown[]>;

/** One call for trips. */
export interface WindowRequest {
  readonly brand: string;
  readonly vin: string;
  readonly series: SeriesName;
  /** First day, yyyyMMdd. */
  readonly startDate: string;
  /** Last day, included, yyyyMMdd. */
  readonly endDate: string;
  readonly zoneId: string;
  readonly signal: AbortSignal;
}
