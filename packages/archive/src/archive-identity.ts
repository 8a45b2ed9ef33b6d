// What an archive is bound to, for archives that are not in a folder.
import {
  type ArchiveSettings,
  parseSettings,
  settingsToStore,
  settleSettings,
  type WantedSettings,
} from './archive-settings.js';
import { pseudonymsOf } from './pseudonyms.js';

/** What an archive is bound to. */
export interface ArchiveIdentity {
  readonly settings: ArchiveSettings;
  /** Content of `archive.json`. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** The name of a vehicle in the archive. */
  readonly pseudonymOf: (vin: string) => string;
}

/**
 * Settles what an archive is bound to: what is stored, after a comparison with what is wanted, or something new.
 *
 * @param key key of the pseudonyms, 64 hexadecimal digits; from `newPseudonymKey`
 * @param stored content of `archive.json`; `undefined` for a new archive
 * @throws ArchiveError `settings-differ`, `archive-damaged`, `key-file-unsafe`, `no-zstd`.
 */
export function settleArchive(
  key: string,
  stored: Readonly<Record<string, unknown>> | undefined,
  wanted: WantedSettings,
): ArchiveIdentity {
  const { keyId, pseudonymOf } = pseudonymsOf(key);
  const settings = settleSettings(stored && parseSettings(stored).settings, wanted, keyId, false);
  return { settings, stored: settingsToStore(settings), pseudonymOf };
}
