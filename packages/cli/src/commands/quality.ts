// `vds quality`: what of an archive's data is missing, late, changed or odd.
import type { MonthQuality, QualityReport, VehicleQuality } from '@vehicle-data/archive';
import { CliError, exitCodes, usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { readDay } from '../days.js';
import { namesIn, vehicleNamed } from './archive-names.js';
import { qualitySvg, shadeOf } from './quality-picture.js';

interface QualityCommandOptions {
  readonly out: string;
  readonly vehicle?: string;
  readonly since?: string;
  readonly csv?: boolean;
  readonly svg?: boolean;
  readonly check?: boolean;
}

/** A report with the aliases of its vehicles. */
interface NamedReport extends QualityReport {
  readonly vehicles: readonly (VehicleQuality & { readonly alias: string | null })[];
}

/** Days of a month by their trips: none, one or two, up to five, more. */
const shades = ['·', '░', '▒', '█'] as const;
const markOf = (trips: number) => shades[shadeOf(trips)] ?? '█';

/** Numbers of a month, by the titles of the table and of the CSV file. */
const columns: Readonly<Record<string, (month: MonthQuality) => string | number>> = {
  month: ({ month }) => month,
  days: ({ daysWithTrips }) => daysWithTrips,
  trips: ({ trips }) => trips,
  km: ({ drivenKm }) => drivenKm.toFixed(1),
  'missing km': ({ missingKm }) => missingKm.toFixed(1),
  late: ({ late }) => late.length,
  changed: ({ changed }) => changed.length,
  overlapping: ({ overlapping }) => overlapping.length,
  'one-sided': ({ oneSided }) => oneSided.length,
  untimed: ({ untimed }) => untimed.length,
  'unknown %': ({ unknownShare }) => (100 * unknownShare).toFixed(1),
  'out of range': ({ outOfRange }) => outOfRange,
  members: ({ members }) => members.length,
  'windows missing': ({ windowsMissing }) => windowsMissing.length,
};

export async function quality(context: Context, options: QualityCommandOptions): Promise<void> {
  const { openArchive } = await import('@vehicle-data/archive');
  await using archive = await openArchive({ folder: options.out, readOnly: true });
  const chosen = options.vehicle?.split(',').map((name) => vehicleNamed(name, context.vin));
  const since = options.since === undefined ? undefined : readDay(options.since, '--since', archive.settings.zoneId);
  const made = await archive.quality({ since, vehicles: chosen });
  const names = namesIn(archive, Object.entries(context.aliases));
  const vehicles = made.vehicles.map((one) => ({ ...one, alias: names.get(one.vehicle) ?? null }));
  const report = { ...made, vehicles };
  if (options.csv === true && options.svg === true) throw usageError('choose --csv or --svg');
  if (options.csv === true) context.output.raw(csvOf(report));
  else if (options.svg === true) {
    const drawn = vehicles.map(({ vehicle, alias, months }) => ({ name: alias ?? vehicle, months }));
    context.output.raw(qualitySvg(drawn, report.zoneId));
  } else context.output.record(report, () => linesOf(context, report));
  const { length } = report.alarms;
  if (options.check === true && length > 0)
    throw new CliError('quality', `${length} alarms: data are missing, late, changed or odd`, {
      hint: 'See alarms in the report: vds quality --json',
      exitCode: exitCodes.different,
    });
}

function linesOf({ output }: Context, { vehicles, alarms }: NamedReport): readonly string[] {
  if (vehicles.length === 0) return ['The archive is empty.'];
  const titles = Object.entries(columns).map(([title, value]) => ({ title, value, right: title !== 'month' }));
  const own = vehicles.flatMap(({ brand, vehicle, alias, months }) => [
    alias === null ? `${vehicle} (${brand})` : `${alias} (${brand}, ${vehicle})`,
    '',
    ...months.map(({ month, tripsByDay }) => `${month}  ${tripsByDay.map(markOf).join('')}`),
    '',
    output.table(months, titles),
    '',
  ]);
  const legend = `One mark a day: ${shades[0]} no trip, ${shades[1]} one or two, ${shades[2]} up to five, ${shades[3]} more.`;
  const count = alarms.length === 0 ? 'No alarms.' : `${alarms.length} alarms:`;
  const nameOf = new Map(vehicles.map(({ vehicle, alias }) => [vehicle, alias ?? vehicle.slice(0, 8)]));
  const each = alarms.map(
    ({ kind, vehicle, month, count: found }) => `  ${month}  ${nameOf.get(vehicle)}  ${kind}: ${found}`,
  );
  return [...own, legend, count, ...each];
}

/** One line a vehicle and month. Every cell is a number or a name that needs no quotes. */
function csvOf({ vehicles }: NamedReport): string {
  const titles = Object.keys(columns).map((title) => title.replace('%', 'percent').replaceAll(/[ -]/g, '_'));
  const lines = vehicles.flatMap(({ brand, vehicle, alias, months }) =>
    months.map((month) =>
      [brand, vehicle, alias ?? '', ...Object.values(columns).map((value) => value(month))].join(','),
    ),
  );
  return `${[['brand', 'vehicle', 'alias', ...titles].join(','), ...lines].join('\n')}\n`;
}
