// An archive names vehicles by a keyed hash. People and agents know them by aliases.
import type { Archive } from '@vehicle-data/archive';

/** A pseudonym has 32 digits. */
export const pseudonymPattern = /^[0-9a-f]{32}$/;

/** A vehicle by its pseudonym, or by its alias or VIN. @param vinOf the VIN of an alias or VIN */
export const vehicleNamed = (text: string, vinOf: (text: string) => string) =>
  pseudonymPattern.test(text) ? { vehicle: text } : { vin: vinOf(text) };

/** The alias or name of each vehicle that is known, by its pseudonym. None where the archive has lost its key. */
export function namesIn(
  archive: Archive,
  known: Iterable<readonly [name: string, vin: string]>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  try {
    for (const [name, vin] of known) names.set(archive.pseudonymOf(vin), name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'key-file-missing')) throw error;
  }
  return names;
}

/** The same of a folder, which nobody needs where nothing has a name. What keeps an archive from being opened keeps no query from it. */
export async function namesInFolder(
  folder: string,
  known: readonly (readonly [name: string, vin: string])[],
): Promise<ReadonlyMap<string, string>> {
  const { ArchiveError, openArchive } = await import('@vehicle-data/archive');
  if (known.length === 0) return new Map();
  try {
    await using archive = await openArchive({ folder, readOnly: true });
    return namesIn(archive, known);
  } catch (error) {
    if (error instanceof ArchiveError) return new Map();
    throw error;
  }
}
