// Which vehicles are collected: those that share data. What the lake holds of the others is purged.
import { type StateStore, windowsOf } from '@vehicle-data/archive/store';
import { seriesTable } from '@vehicle-data/client/series';
import type { Database } from '../ledger/database.js';
import { addVehicle, addWindow } from '../ledger/windows.js';
import { beginPurge, type VehicleName } from '../ledger/withdrawal.js';

/** A collector's view of its vehicles. */
export interface Fleet {
  readonly database: Database;
  readonly state: StateStore;
  readonly pseudonymOf: (vin: string) => string;
  readonly brand: string;
  /** First day, yyyy-MM-dd. */
  readonly since: string;
  readonly confirmPurge: number | undefined;
}

/** What a list of vehicles changed. */
export interface Look {
  readonly sharing: number;
  /** Vehicles that are fenced off from here on. */
  readonly withdrawn: readonly VehicleName[];
  /** Vehicles that are missing from the list, where those are so many that a person has to confirm. */
  readonly unconfirmed: { readonly missing: number; readonly of: number } | undefined;
}

const seriesNames = Object.keys(seriesTable) as readonly (keyof typeof seriesTable)[];

/** Compares the list of the service with the ledger: new vehicles and windows are added, vehicles that are missing are fenced off. */
export async function applyList(fleet: Fleet, vins: readonly string[], now: number): Promise<Look> {
  const { database, state, brand, pseudonymOf, since, confirmPurge } = fleet;
  const today = new Date(now).toISOString().slice(0, 10);
  const sharing = new Set(vins.map(pseudonymOf));
  const held = await database.query<VehicleName>(
    `select brand, vehicle from vds.vehicles where brand = $1 and state = 'active'`,
    [brand],
  );
  const withdrawn: VehicleName[] = [];
  const fence = async (name: VehicleName) => {
    if (await beginPurge(database, name)) withdrawn.push(name);
  };
  // What `vds purge` erased from the lake goes from the ledger as well, rows and VIN.
  const erased = new Set<VehicleName>();
  for (const name of held) if (await state.isErased(name.vehicle)) erased.add(name);
  for (const name of erased) await fence(name);
  const missing = held.filter((name) => !sharing.has(name.vehicle) && !erased.has(name));
  // An empty list by mistake, or that of another owner, must not empty the lake.
  const isUnconfirmed = missing.length * 2 > held.length && confirmPurge !== missing.length;
  if (!isUnconfirmed) for (const name of missing) await fence(name);
  for (const vin of vins) {
    const vehicle = pseudonymOf(vin);
    // One that `vds purge` erased does not come back by itself.
    if (await state.isErased(vehicle)) continue;
    await addVehicle(database, { brand, vehicle, vin }, brand);
    for (const series of seriesNames)
      for (const window of windowsOf(since, today, now, seriesTable[series].maxDays)) {
        const key = { brand, vehicle, series, from: window.from };
        if ((await state.find(key))?.settled !== true) await addWindow(database, { ...key, to: window.to });
      }
  }
  const unconfirmed = isUnconfirmed && missing.length > 0 ? { missing: missing.length, of: held.length } : undefined;
  return { sharing: sharing.size, withdrawn, unconfirmed };
}
