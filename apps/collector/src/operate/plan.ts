// What a collector would do, before it fetches anything: calls, days at the limit, bytes.

import { windowsOf } from '@vehicle-data/archive/store';
import { seriesTable } from '@vehicle-data/client/series';
import { dateAt, msPerDay } from '#kit/calendar.js';
import type { Queries } from '../ledger/database.js';

/** An account of a plan. */
export interface PlannedAccount {
  readonly account: string;
  readonly brand: string;
  /** Vehicles of its list; `undefined` where the list could not be had. */
  readonly vehicles: number | undefined;
  /** Calls until every window since the first day was fetched once. */
  readonly calls: number;
}

/** A plan. */
export interface Plan {
  readonly accounts: readonly PlannedAccount[];
  readonly vehicles: number;
  /** Windows of one vehicle since the first day: one call each. */
  readonly windowsOfVehicle: number;
  readonly calls: number;
  /** Days for that at the limit: of an account, or of the API key at a brand. Accounts and brands go on side by side. */
  readonly days: number;
  /** Calls a day after that: lists of vehicles, and windows that are not settled. */
  readonly callsADay: number;
  /** Bytes of a window as it is stored, from what was collected; `undefined` where nothing was. */
  readonly bytesOfWindow: number | undefined;
}

/** What a plan is made for. */
export interface PlanOptions {
  /** First day, yyyy-MM-dd. */
  readonly since: string;
  readonly maxRate: number;
  readonly everyMs: number;
  /** Whether all accounts of a brand share one limit. */
  readonly hasKey: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

const shortestMonth = 28;

/** Makes a plan from the numbers of vehicles of each account. */
export async function makePlan(
  database: Queries,
  lists: readonly { readonly account: string; readonly brand: string; readonly vehicles: number | undefined }[],
  { since, maxRate, everyMs, hasKey, now }: PlanOptions,
): Promise<Plan> {
  const today = dateAt(now);
  const series = Object.values(seriesTable);
  const windowsOfVehicle = series.reduce((sum, { maxDays }) => sum + windowsOf(since, today, now, maxDays).length, 0);
  const held = await database.query<{
    account: string;
    series: keyof typeof seriesTable;
    rows: number;
    months: number;
  }>(
    `select v.account, w.series, count(*)::int as rows, count(*) filter (where w.to_day - w.from_day >= ${shortestMonth - 1})::int as months
     from vds.vehicles v join vds.windows w on w.brand = v.brand and w.vehicle = v.vehicle and w.to_day >= $1::date
     where v.state = 'active' and w.fetched_at is not null group by v.account, w.series`,
    [since],
  );
  const collectedOf = new Map<string, number>();
  for (const { account, series: name, rows, months } of held) {
    // A row of a month that was merged has four windows.
    const ofMonth = windowsOf('2026-01-01', '2026-01-31', Date.parse('2026-02-01'), seriesTable[name].maxDays).length;
    collectedOf.set(account, (collectedOf.get(account) ?? 0) + rows + months * (ofMonth - 1));
  }
  const accounts = lists.map((list) => ({
    ...list,
    calls: Math.max(0, (list.vehicles ?? 0) * windowsOfVehicle - (collectedOf.get(list.account) ?? 0)),
  }));
  const buckets = new Map<string, number>();
  for (const { account, brand, calls } of accounts) {
    const name = hasKey ? brand : account;
    buckets.set(name, (buckets.get(name) ?? 0) + calls);
  }
  const vehicles = accounts.reduce((sum, one) => sum + (one.vehicles ?? 0), 0);
  const rounds = msPerDay / everyMs;
  // Trips may arrive for days: windows of the last ones are fetched at every round.
  const openWindows = series.reduce(
    (sum, { maxDays }) => sum + windowsOf(dateAt(now - 3.5 * msPerDay), today, now, maxDays).length,
    0,
  );
  const [size] = await database.query<{ bytes: number | null }>(
    'select avg(bytes)::float8 as bytes from (select bytes from vds.windows where fetched_at is not null limit 100000) windows',
  );
  return {
    accounts,
    vehicles,
    windowsOfVehicle,
    calls: accounts.reduce((sum, { calls }) => sum + calls, 0),
    days: Math.max(0, ...buckets.values()) / maxRate / (msPerDay / 1000),
    callsADay: rounds * (accounts.length + vehicles * openWindows),
    bytesOfWindow: size?.bytes ?? undefined,
  };
}
