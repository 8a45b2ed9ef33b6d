// Who read the data of a vehicle, as far as an archive knows.
import { hostname, userInfo } from 'node:os';
import { usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { vehicleNamed } from './archive-names.js';

/** Who runs this program, for the log of an archive: the profile, the user and the machine. */
export function whoRuns({ profileName }: Context): string {
  return `vds, profile ${profileName}, ${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return 'unknown';
  }
}

/** `vds archive who`: exports and copies of one vehicle. */
export async function showAccesses(
  context: Context,
  options: { readonly out: string; readonly csv?: boolean },
  vehicle: string,
): Promise<void> {
  const { openArchive } = await import('@vehicle-data/archive');
  await using archive = await openArchive({ folder: options.out, readOnly: true });
  const name = vehicleNamed(vehicle, context.vin);
  if ((await archive.eachVehicle(name).next()).done === true)
    throw usageError('the archive has nothing of this vehicle', 'What was purged is in: vds receipts list');
  const rows = (await archive.accesses(name)).map(({ series, from, until, ...access }) => ({
    ...access,
    series: series?.join(' ') ?? null,
    from: from ?? null,
    until: until ?? null,
  }));
  const titles = ['at', 'what', 'by', 'to', 'series', 'from', 'until'] as const;
  if (options.csv !== true) context.output.list(rows, titles, 'Nothing is written down: an earlier version made it.');
  else {
    const cell = (text: string | null) =>
      /[",\n]/.test(text ?? '') ? `"${text?.replaceAll('"', '""')}"` : (text ?? '');
    const lines = rows.map((row) => titles.map((title) => cell(row[title])).join(','));
    context.output.raw(`${[titles.join(','), ...lines].join('\n')}\n`);
  }
}
