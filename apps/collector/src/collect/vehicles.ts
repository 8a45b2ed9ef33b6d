// Which vehicles are collected: those that share data. What the lake holds of the others is purged.

import { windowsOf } from '@vehicle-data/archive/store';
import { seriesTable } from '@vehicle-data/client/series';
import { dateAt } from '#kit/calendar.js';
import type { LakeState } from '../lake/ledger-state.js';
import { holdsLook, type LookClaim, type Signal } from '../ledger/accounts.js';
import type { Database, Queries } from '../ledger/database.js';
import type { PurgeReason } from '../ledger/receipts.js';
import { addVehicle, addWindows, type VehicleName } from '../ledger/windows.js';
import { beginPurge } from '../ledger/withdrawal.js';

/** A collector's view of its vehicles. */
export interface Fleet {
  readonly database: Database;
  readonly state: LakeState;
  readonly pseudonymOf: (vin: string) => string;
  /** First day, yyyy-MM-dd. */
  readonly since: string;
}

/** What a list of vehicles changed. */
export interface Look {
  /** Vehicles that are fenced off from here on. */
  readonly withdrawn: number;
  /** Vehicles that are missing from the list, where a person has to confirm that, or a second list. */
  readonly unconfirmed: { readonly missing: number; readonly of: number } | undefined;
  /** The only vehicle of the account is missing: a second list decides. */
  readonly isDoubtful: boolean;
}

/** Between two lists that miss the only vehicle of an account. */
export const secondLookMs = 30_000;
/** So many only vehicles a day are purged without a person, or one in a hundred of all where that is more. */
const mostAlone = 3;

/** So many vehicles that get windows by one list change what a database knows of its tables. */
const manyVehicles = 500;

const seriesNames = Object.keys(seriesTable) as readonly (keyof typeof seriesTable)[];

interface Held extends VehicleName {
  readonly denied: boolean;
  /** When the service has denied it, as the ledger has it. */
  readonly deniedAt: string | null;
  /** What was said of it since the last list, and when. */
  readonly signal: Signal | null;
  readonly signalAt: string | null;
  readonly missedBefore: boolean;
}

/** Compares the list of an account with the ledger: new vehicles and windows are added, vehicles that are missing are fenced off. */
export async function applyList(fleet: Fleet, look: LookClaim, vins: readonly string[], now: number): Promise<Look> {
  const { database, state, pseudonymOf } = fleet;
  const { name: account, brand } = look;
  const sharing = new Set(vins.map(pseudonymOf));
  const held = await database.query<Held>(
    `select brand, vehicle, denied_at is not null as denied, denied_at::text as "deniedAt", signal, signal_at::text as "signalAt",
       coalesce(missing_since <= clock_timestamp() - ${secondLookMs} * interval '1 millisecond', false) as "missedBefore"
     from vds.vehicles where account = $1 and state = 'active'`,
    [account],
  );
  // What `vds purge` erased from the lake goes from the ledger as well, rows and VIN.
  const erased = new Set<VehicleName>();
  for (const name of held) if (await state.isErased(name.vehicle)) erased.add(name);
  const missing = held.filter((name) => !sharing.has(name.vehicle) && !erased.has(name));
  // An empty list by mistake, or that of another owner, must not empty the lake.
  const isMost = missing.length * 2 > held.length && look.confirmPurge !== missing.length;
  const [alone] = held.length === 1 ? missing : [];
  const isAlone = isMost && alone?.denied === true && alone.missedBefore && (await mayGoAlone(database));
  const fenced = await database.transaction(async (open) => {
    // A list that came late says nothing any more.
    if (!(await holdsLook(open, look))) return undefined;
    let withdrawn = 0;
    const gone = isMost && !isAlone ? [] : missing;
    for (const name of erased) if (await beginPurge(open, name, true)) withdrawn += 1;
    for (const name of gone) if (await beginPurge(open, name, false, ...causeOf(name, look))) withdrawn += 1;
    const names = (isMost && !isAlone ? missing : []).map(({ vehicle }) => vehicle);
    await settleSignals(open, look, names);
    await noteMissing(open, account, names);
    return withdrawn;
  });
  if (fenced === undefined) return { withdrawn: 0, unconfirmed: undefined, isDoubtful: false };
  let added = 0;
  for (const vin of vins) if (await addOne(fleet, { brand, vehicle: pseudonymOf(vin), vin }, look, now)) added += 1;
  // The database would take its tables for empty until it looks by itself, and read them whole for each claim.
  if (added >= manyVehicles) await database.query('analyze vds.vehicles, vds.windows');
  const isOpen = isMost && !isAlone && missing.length > 0;
  return {
    withdrawn: fenced,
    unconfirmed: isOpen ? { missing: missing.length, of: held.length } : undefined,
    isDoubtful: isOpen && alone !== undefined,
  };
}

/** Why a vehicle that is missing from a list is purged, and since when that was known. What was said of the vehicle itself comes first. */
function causeOf(held: Held, look: LookClaim): readonly [PurgeReason, string | null] {
  if (held.signal !== null) return [held.signal, held.signalAt];
  if (held.denied) return ['error', held.deniedAt];
  return look.signal === null ? ['list', null] : [look.signal, look.signalAt];
}

/** What was said before a list was fetched is settled by it, but for vehicles that wait for a person or a second list. */
async function settleSignals(database: Queries, look: LookClaim, waiting: readonly string[]): Promise<void> {
  const { name, signal, signalAt, claimedAt } = look;
  await database.query(
    `update vds.vehicles set signal = null, signal_at = null
     where account = $1 and state = 'active' and signal is not null and signal_at <= $2::timestamptz and not vehicle = any($3)`,
    [name, claimedAt, waiting],
  );
  if (signal === null) return;
  await database.query(
    `update vds.vehicles set signal = $2, signal_at = $3::timestamptz
     where account = $1 and state = 'active' and signal is null and vehicle = any($4)`,
    [name, signal, signalAt, waiting],
  );
  await database.query(
    'update vds.accounts set signal = null, signal_at = null where name = $1 and signal_at = $2::timestamptz',
    [name, signalAt],
  );
}

/** Remembers since when vehicles are missing, and forgets what was said of those that are listed. Their newest window is fetched now: the service says whether the owner shares it. */
async function noteMissing(database: Queries, account: string, vehicles: readonly string[]): Promise<void> {
  await database.query(
    `update vds.vehicles set denied_at = case when vehicle = any($2) then denied_at end,
       missing_since = case when vehicle = any($2) then coalesce(missing_since, clock_timestamp()) end,
       fresh_at = case when vehicle = any($2) and missing_since is null then clock_timestamp() else fresh_at end
     where account = $1 and state = 'active' and (missing_since is not null or denied_at is not null or vehicle = any($2))`,
    [account, vehicles],
  );
  await database.query(
    `update vds.windows w set due_at = clock_timestamp(), fresh = true from vds.vehicles v
     where v.account = $1 and v.vehicle = any($2) and v.state = 'active' and v.denied_at is null
       and w.brand = v.brand and w.vehicle = v.vehicle and w.from_day = (
         select max(o.from_day) from vds.windows o where o.brand = v.brand and o.vehicle = v.vehicle and o.from_day <= current_date)`,
    [account, vehicles],
  );
}

/** Whether so few only vehicles were purged today that a mistake of the service is unlikely. */
async function mayGoAlone(database: Queries): Promise<boolean> {
  const [row] = await database.query<{ may: boolean }>(
    `select count(*) filter (where withdrawn_at > clock_timestamp() - interval '1 day' and missing_since is not null)
       < greatest(${mostAlone}, count(*) filter (where state = 'active') / 100) as may from vds.vehicles`,
  );
  return row?.may === true;
}

/** Whether the vehicle got windows. */
async function addOne(
  { database, state, since }: Fleet,
  one: VehicleName & { readonly vin: string },
  { name: account, lease }: LookClaim,
  now: number,
): Promise<boolean> {
  // One that `vds purge` erased does not come back by itself.
  if (await state.isErased(one.vehicle)) return false;
  const planned = await addVehicle(database, one, account, lease);
  const today = dateAt(now);
  if (!planned || (planned.from !== null && planned.from <= since && planned.to === today)) return false;
  if (planned.from === null) await state.adopt(one);
  const windows = [];
  for (const series of seriesNames)
    for (const { from, to } of windowsOf(since, today, now, seriesTable[series].maxDays)) {
      const isSettled = (await state.find({ ...one, series, from }))?.settled === true;
      if (!isSettled) windows.push({ series, from, to });
    }
  await addWindows(database, one, windows, { from: since, to: today });
  return windows.length > 0;
}
