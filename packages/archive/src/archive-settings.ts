import { ArchiveError } from './archive-error.js';
import { contractDigest } from './contract.js';
import { bestCodec, type ParquetCodec } from './parquet-codec.js';
import type { StateStore } from './store/state-store.js';

/** File format of an archive. */
export type ArchiveFormat = 'parquet' | 'ndjson' | 'csv';

/** `trips`: one row a trip, one list a signal, as sent. `samples`: one row a sample. */
export type ArchiveShape = 'trips' | 'samples';

/** Which names signals have in CSV: those of the contract, or those of the Vehicle Signal Specification with its units and types. */
export type SignalNames = 'contract' | 'vss';

/** What an archive is bound to. */
export interface ArchiveSettings {
  /** Where the trips come from: the base address, with a profile name where you have several. */
  readonly source: string;
  /** Time zone in which days are counted. */
  readonly zoneId: string;
  readonly format: ArchiveFormat;
  readonly shape: ArchiveShape;
  readonly codec: ParquetCodec;
  /** Tells the key of the pseudonyms from another without giving it away. */
  readonly keyId: string;
  /** Digest of the contract's series, signals, units and ranges. */
  readonly contract: string;
  /** `vss` for CSV in the names of the Vehicle Signal Specification. Left out: those of the contract. */
  readonly names?: SignalNames;
  /** Whether every file was written with that contract, and so has the same columns. `undefined` where that is not known. */
  readonly oneSchema?: boolean | undefined;
}

/** The version of what an archive is made of. Version 1 had one manifest for all vehicles. */
const version = 2;
const names = ['source', 'zoneId', 'format', 'shape', 'codec', 'keyId', 'contract'] as const;

/** The settings that were asked for; what is left out is taken from the archive, or from the defaults. */
export type WantedSettings = {
  readonly [Name in 'source' | 'zoneId' | 'format' | 'shape' | 'names']?: ArchiveSettings[Name] | undefined;
};

/**
 * Reads what an archive is bound to, and whether it is of version 1.
 *
 * @throws ArchiveError `archive-damaged`.
 */
export async function readSettings(state: Pick<StateStore, 'settings'>) {
  const value = await state.settings();
  return value && parseSettings(value);
}

/** @throws ArchiveError `archive-damaged`. */
export function parseSettings(value: Readonly<Record<string, unknown>>) {
  const isKnown = value['version'] === 1 || value['version'] === version;
  if (!isKnown || !names.every((name) => typeof value[name] === 'string'))
    throw new ArchiveError('archive-damaged', `archive.json is not of version 1 or ${version}`);
  const { version: _, ...settings } = value;
  // Every member was checked.
  return { settings: settings as unknown as ArchiveSettings, isFirstVersion: value['version'] === 1 };
}

/**
 * The settings of an archive: those that are stored, after a comparison with those that are wanted, or new ones. The contract is
 * compared when something is exported: what an archive holds can be verified and purged whatever the contract says by now.
 *
 * @param isEmpty what is wanted may replace what is stored
 * @throws ArchiveError `settings-differ` with the names of those that do, `no-zstd`.
 */
export function settleSettings(
  stored: ArchiveSettings | undefined,
  wanted: WantedSettings,
  keyId: string | undefined,
  isEmpty: boolean,
): ArchiveSettings {
  if (!stored || isEmpty) {
    const source = wanted.source ?? stored?.source ?? '';
    const zoneId = wanted.zoneId ?? stored?.zoneId ?? 'UTC';
    const format = wanted.format ?? stored?.format ?? 'parquet';
    const trips = wanted.shape ?? (stored?.format === 'parquet' ? stored.shape : 'trips');
    const shape = { parquet: trips, ndjson: 'trips', csv: 'samples' } as const;
    const bound = { source, zoneId, format, shape: shape[format], codec: bestCodec, contract: contractDigest };
    const inVss = format === 'csv' && (wanted.names ?? stored?.names) === 'vss' && { names: 'vss' as const };
    return { oneSchema: true, ...bound, keyId: keyId ?? stored?.keyId ?? '', ...inVss };
  }
  // Formats with one shape take no other.
  const shape = stored.format === 'parquet' ? wanted.shape : undefined;
  const all: Partial<Record<keyof ArchiveSettings, string | undefined>> = { ...wanted, shape, keyId };
  const hasOther = (wanted.names ?? stored.names ?? 'contract') !== (stored.names ?? 'contract');
  const differences = [
    ...names.filter((name) => all[name] !== undefined && all[name] !== stored[name]),
    ...(hasOther ? ['names'] : []),
  ];
  if (differences.length > 0) {
    throw new ArchiveError(
      'settings-differ',
      `the folder holds an archive with another ${differences.join(', ')}; use its own settings or another folder`,
      { differences },
    );
  }
  if (stored.codec === 'ZSTD' && bestCodec !== 'ZSTD')
    throw new ArchiveError('no-zstd', 'the archive is compressed by zstd; use Node 22.15 or later');
  return stored;
}

export function storeSettings(state: StateStore, settings: ArchiveSettings): Promise<void> {
  return state.saveSettings(settingsToStore(settings));
}

/** Settings as they are stored. */
export const settingsToStore = (settings: ArchiveSettings) => ({ version, ...settings });
