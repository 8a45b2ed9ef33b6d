import { join } from 'node:path';
import { ArchiveError } from './archive-error.js';
import { contractDigest } from './contract.js';
import { replaceFile } from './durable-files.js';
import { type FileLayer, textOf } from './file-layer.js';
import { bestCodec, type ParquetCodec } from './parquet-codec.js';

/** File format of an archive. */
export type ArchiveFormat = 'parquet' | 'ndjson' | 'csv';

/** `trips`: one row a trip, one list a signal, as sent. `samples`: one row a sample. */
export type ArchiveShape = 'trips' | 'samples';

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
}

const version = 1;

/** The settings that were asked for; what is left out is taken from the archive, or from the defaults. */
export type WantedSettings = { readonly [Name in 'source' | 'zoneId' | 'format' | 'shape']?: string | undefined };

/**
 * Reads what an archive is bound to and compares it with what is wanted.
 *
 * @throws ArchiveError `archive-missing`, `archive-damaged`, `settings-differ`, `no-zstd`.
 */
export async function readSettings(files: FileLayer, folder: string): Promise<ArchiveSettings | undefined> {
  const text = await textOf(files, join(folder, 'archive.json'));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const settings = value as Partial<Record<keyof ArchiveSettings | 'version', unknown>>;
    const texts = ['source', 'zoneId', 'format', 'shape', 'codec', 'keyId', 'contract'] as const;
    // Every member was checked.
    if (settings.version === version && texts.every((name) => typeof settings[name] === 'string'))
      return value as ArchiveSettings;
  } catch (cause) {
    throw new ArchiveError('archive-damaged', 'archive.json cannot be read', { cause });
  }
  throw new ArchiveError('archive-damaged', `archive.json is not of version ${version}`);
}

/**
 * The settings of an archive, after a comparison with those that are wanted.
 *
 * @throws ArchiveError `settings-differ` with the names of those that do, `no-zstd`.
 */
export function checkSettings(
  stored: ArchiveSettings,
  wanted: WantedSettings,
  keyId: string,
  acceptContract: boolean,
): ArchiveSettings {
  const all: Partial<Record<keyof ArchiveSettings, string | undefined>> = {
    ...wanted,
    // Formats with one shape take no other.
    shape: stored.format === 'parquet' ? wanted.shape : undefined,
    keyId,
    contract: acceptContract ? undefined : contractDigest,
  };
  const names = Object.keys(stored).filter((name): name is keyof ArchiveSettings => name in all);
  const differences = names.filter((name) => all[name] !== undefined && all[name] !== stored[name]);
  if (differences.length > 0) {
    throw new ArchiveError(
      'settings-differ',
      `the folder holds an archive with another ${differences.join(', ')}; use its own settings or another folder`,
      { differences },
    );
  }
  if (stored.codec === 'ZSTD' && bestCodec !== 'ZSTD') {
    throw new ArchiveError('no-zstd', 'the archive is compressed by zstd; use Node 22.15 or later');
  }
  return stored.contract === contractDigest ? stored : { ...stored, contract: contractDigest };
}

export async function writeSettings(files: FileLayer, folder: string, settings: ArchiveSettings): Promise<void> {
  await replaceFile(files, join(folder, 'archive.json'), `${JSON.stringify({ version, ...settings }, null, 2)}\n`);
}
