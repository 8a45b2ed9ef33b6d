import { operations } from '@vehicle-data/openapi';
import { msPerDay } from '#kit/calendar.js';
import { basicDate } from './fleet/calendar.js';
import type { SandboxOptions } from './options.js';
import { createSandbox } from './sandbox.js';

/** A file for tests in any language: one response of the service. */
export type Fixture = Readonly<Record<'name' | 'text', string>>;

/** Which responses to make. The month is written as yyyy-MM. */
export type FixtureOptions = Pick<SandboxOptions, 'seed' | 'vehicles' | 'sensorNoise'> &
  Readonly<Record<'vin' | 'month', string>>;

/**
 * Every response about one vehicle in one month. The same options give the same responses.
 * @throws RangeError if the month is none, or no vehicle has the VIN.
 */
export async function* exportFixtures({ vin, month, ...options }: FixtureOptions): AsyncGenerator<Fixture> {
  const first = new Date(`${/^[0-9]{4}-[0-9]{2}$/.test(month) ? month : 'none'}-01T00:00:00Z`);
  const endMs = new Date(first).setUTCMonth(first.getUTCMonth() + 1);
  if (Number.isNaN(endMs)) throw new RangeError('the month must be one as yyyy-MM');
  const sandbox = createSandbox({ ...options, now: new Date(endMs + msPerDay), frozen: true });
  const vehicle = sandbox.vehicle(vin);
  if (vehicle === undefined) throw new RangeError('no vehicle of the fleet has this VIN');
  await sandbox.consents.set(vin, 'shared');
  const Authorization = `Bearer ${sandbox.accessTokenOf(vehicle.owner)}`;
  const headers = { Brand: vehicle.brand, Authorization, 'X-Request-Id': 'fixture-1' };
  const fixture = async (name: string, path: string) => {
    const response = await sandbox.fetch(`http://sandbox${path.replace('{vin}', vin)}`, { headers });
    return { name: `${name}.json`, text: `${await response.text()}\n` };
  };
  for (const { operationId, method, path, dateRange } of Object.values(operations)) {
    if (method !== 'GET') continue;
    if (!dateRange) yield await fixture(operationId, path);
    const rangeMs = ((dateRange?.maxDays ?? 0) + 1) * msPerDay;
    for (let ms = first.getTime(); dateRange && ms < endMs; ms += rangeMs) {
      const [from, to] = [basicDate(ms), basicDate(Math.min(ms + rangeMs, endMs) - msPerDay)];
      yield await fixture(`${operationId}-${from}`, `${path}?${dateRange.start}=${from}&${dateRange.end}=${to}`);
    }
  }
}
