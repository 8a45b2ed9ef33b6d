// Asks an archive what of its data is missing.
import { requireArgument } from '../archive-error.js';
import type { OpenArchive } from '../folder/open-archive.js';
import { seriesContract, seriesNames } from '../format/series-contract.js';
import type { VehicleKey, WindowEntry } from '../store/state-store.js';
import { holdsTripsAsSent } from '../window-file.js';
import { daysIn, isClosed, isDate, windowsOf } from '../windows.js';
import { type HeldVehicle, monthsOf } from './month-quality.js';
import type {
  MonthQuality,
  QualityAlarm,
  QualityAlarmKind,
  QualityOptions,
  QualityReport,
  VehicleQuality,
} from './quality-report.js';
import { type HeldTrip, readHeldTrips } from './read-held-trips.js';

const msPerDay = 86_400_000;
const msPerHour = 3_600_000;

/** @throws ArchiveError `invalid-argument`, `archive-damaged`. */
export async function archiveQuality(
  archive: OpenArchive,
  options: Omit<QualityOptions, 'vehicles'>,
  chosen: ReadonlySet<string> | undefined,
): Promise<QualityReport> {
  const { since, lateAfterMs = msPerHour } = options;
  requireArgument(since === undefined || isDate(since), 'since must be a day, yyyy-MM-dd');
  requireArgument(lateAfterMs >= 0, 'lateAfterMs must be at least 0');
  const { zoneId } = archive.settings;
  requireArgument(holdsTripsAsSent(archive.settings), 'the files of this archive do not hold the trips as sent');
  const first = since?.slice(0, 7) ?? '';
  const vehicles: VehicleQuality[] = [];
  for await (const vehicle of archive.state.vehicles()) {
    if (chosen && !chosen.has(vehicle.vehicle)) continue;
    const held = await heldVehicle(archive, vehicle, first, lateAfterMs);
    const months = monthsOf(held).filter(({ month }) => month >= first);
    vehicles.push({ ...vehicle, months });
  }
  const madeAt = new Date(archive.now()).toISOString();
  return { version: 1, madeAt, zoneId, vehicles, alarms: vehicles.flatMap(alarmsOf) };
}

async function heldVehicle(
  archive: OpenArchive,
  vehicle: VehicleKey,
  first: string,
  lateAfterMs: number,
): Promise<HeldVehicle> {
  const { blobs, state, settings } = archive;
  const all: WindowEntry[] = [];
  for await (const entry of state.windows(vehicle)) all.push(entry);
  // One month before: from where the odometer continues.
  const monthBefore = first && new Date(Date.parse(`${first}-01`) - msPerDay).toISOString().slice(0, 7);
  const entries = all.filter(({ from }) => from.slice(0, 7) >= monthBefore);
  const trips: HeldTrip[] = [];
  for (const { series, path, from } of entries) {
    const name = seriesNames.find((one) => one === series);
    const content = name && path !== null ? await blobs.get(path) : undefined;
    if (!name || !content) continue;
    trips.push(...((await readHeldTrips(settings, seriesContract(name), from.slice(0, 7), content)) ?? []));
  }
  const days = daysIn(settings.zoneId);
  return {
    trips,
    entries,
    windowsMissing: missingIn(all, archive.now()),
    dayOf: (time) => days.format(time),
    isClosed: (day, at) => isClosed(day, at, days),
    lateAfterMs,
  };
}

/** Windows between the first and the last day of a vehicle that it has no entry of, in the series that it has. */
function missingIn(entries: readonly WindowEntry[], now: number): MonthQuality['windowsMissing'] {
  const [from] = entries.map((entry) => entry.from).sort();
  const to = entries
    .map((entry) => entry.to)
    .sort()
    .at(-1);
  if (from === undefined || to === undefined) return [];
  return seriesNames.flatMap((series) => {
    const own = entries.filter((entry) => entry.series === series);
    const lost = own.length === 0 ? [] : windowsOf(from, to, now, seriesContract(series).maxDays);
    const isHeld = (day: string) => own.some((entry) => entry.from <= day && entry.to >= day);
    return lost.filter((window) => !isHeld(window.from)).map((window) => ({ series, ...window }));
  });
}

function alarmsOf({ brand, vehicle, months }: VehicleQuality): readonly QualityAlarm[] {
  return months.flatMap((month) => {
    const counts: Readonly<Record<QualityAlarmKind, number>> = {
      'missing-km': month.gaps.length,
      overlapping: month.overlapping.length,
      'one-sided': month.oneSided.length,
      late: month.late.length,
      changed: month.changed.length,
      untimed: month.untimed.length,
      'out-of-range': month.outOfRange,
      members: month.members.length,
      'windows-missing': month.windowsMissing.length,
    };
    return Object.entries(counts).flatMap(([kind, count]) =>
      count === 0 ? [] : [{ kind: kind as QualityAlarmKind, brand, vehicle, month: month.month, count }],
    );
  });
}
