import { type OperationSpec, operations } from '@vehicle-data/openapi';
import { millisecondsPerDay } from './fleet/calendar.js';
import { createSandbox } from './sandbox.js';
import type { SandboxOptions } from './sandbox-options.js';

/** A file for tests in any language: one response of the service. */
export interface Fixture {
  readonly name: string;
  readonly text: string;
}

/** Which responses to make. */
export interface FixtureOptions extends Pick<SandboxOptions, 'seed' | 'vehicles' | 'sensorNoise'> {
  readonly vin: string;
  /** The month as yyyy-MM. */
  readonly month: string;
}

/**
 * Every response about one vehicle in one month: the trips in ranges as long as the contract allows, and what it reported last. They
 * are the same for the same options.
 *
 * @throws RangeError if the month is none, or no vehicle has the VIN.
 */
export async function* exportFixtures({ vin, month, ...options }: FixtureOptions): AsyncGenerator<Fixture> {
  const firstMs = Date.parse(`${/^[0-9]{4}-[0-9]{2}$/.test(month) ? month : 'none'}-01T00:00:00Z`);
  if (Number.isNaN(firstMs)) throw new RangeError('the month must be one as yyyy-MM');
  const first = new Date(firstMs);
  const endMs = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1);
  const sandbox = createSandbox({ ...options, now: new Date(endMs + millisecondsPerDay), frozen: true });
  const vehicle = sandbox.vehicle(vin);
  if (vehicle === undefined) throw new RangeError('no vehicle of the fleet has this VIN');
  await sandbox.consents.set(vin, 'shared');
  const token = sandbox.accessTokenOf(vehicle.owner);
  const known: readonly OperationSpec[] = Object.values(operations);
  for (const { operationId, method, path, dateRange } of known) {
    if (method !== 'GET') continue;
    for (const range of dateRange ? rangesOf(firstMs, endMs, dateRange.maxDays + 1) : [undefined]) {
      const query = range && dateRange ? `?${dateRange.start}=${range[0]}&${dateRange.end}=${range[1]}` : '';
      const response = await sandbox.fetch(`http://sandbox${path.replace('{vin}', vin)}${query}`, {
        headers: { Brand: vehicle.brand, Authorization: `Bearer ${token}`, 'X-Request-Id': 'fixture' },
      });
      yield { name: `${operationId}${range ? `-${range[0]}` : ''}.json`, text: `${await response.text()}\n` };
    }
  }
}

/** Ranges of at most some days that cover a time, as dates yyyyMMdd. */
function* rangesOf(firstMs: number, endMs: number, days: number): Generator<readonly [string, string]> {
  const basic = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
  for (let ms = firstMs; ms < endMs; ms += days * millisecondsPerDay) {
    yield [basic(ms), basic(Math.min(ms + days * millisecondsPerDay, endMs) - millisecondsPerDay)];
  }
}
