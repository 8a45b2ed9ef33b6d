import type { Observer, RequestRecord } from '../observability/observer.js';

/** A binding to which figures can be written, such as a dataset of Workers Analytics Engine. */
export interface Dataset {
  writeDataPoint(point: {
    readonly indexes: readonly string[];
    readonly blobs: readonly string[];
    readonly doubles: readonly number[];
  }): void;
}

/** Whether a binding takes figures. */
export function isDataset(value: unknown): value is Dataset {
  return (
    typeof value === 'object' &&
    value !== null &&
    'writeDataPoint' in value &&
    typeof value.writeDataPoint === 'function'
  );
}

/** Only these are written; a client could send any other word. */
const methods = new Set(['GET', 'DELETE', '-']);

/**
 * Writes one data point for each call: blobs are method, route template, error code and client; doubles are status, milliseconds,
 * requests to the service and bytes of the answer. The order is part of what operators ask for and does not change.
 */
export function datasetObserver(dataset: Dataset): Observer {
  return {
    call({ method, template, code, client, status, durationMs, attempts, bytes }: RequestRecord) {
      dataset.writeDataPoint({
        indexes: [template],
        blobs: [methods.has(method) ? method : 'other', template, code, client],
        doubles: [status, durationMs, attempts, bytes],
      });
    },
  };
}
