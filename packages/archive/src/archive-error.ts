import type { LeaseHolder } from './store/state-store.js';

/** Why an archive cannot do what it was asked to. */
export type ArchiveErrorCode =
  /** An argument is wrong. Nothing was read or written. */
  | 'invalid-argument'
  /** The folder holds an archive with other settings. `differences` names them. */
  | 'settings-differ'
  /** The folder holds no archive. */
  | 'archive-missing'
  /** Another process, or another call of this one, works on the archive. */
  | 'archive-locked'
  /** A file of the archive itself cannot be read. */
  | 'archive-damaged'
  /** The key file is missing, so that pseudonyms cannot be made. */
  | 'key-file-missing'
  /** Others may read the key file, or it holds no key. */
  | 'key-file-unsafe'
  /** Most of a brand's vehicles are missing from the list. `count` says how many. */
  | 'purge-not-confirmed'
  /** The archive is compressed by zstd, which this version of Node does not have. */
  | 'no-zstd'
  /** The folder holds no backup, or no keys of one. */
  | 'backup-missing'
  /** The folder holds the backup of another archive, or one of another version. */
  | 'backup-differs'
  /** The keys of a backup cannot be opened with this identity. */
  | 'backup-sealed'
  /** Files of this format do not hold the trips as sent. */
  | 'not-lossless';

/** An error of an archive. Messages name no vehicle, no key and no value that was passed. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly code: ArchiveErrorCode;
  /** Settings that differ from those of the archive; `windows` where those of the current contract have other days. */
  readonly differences: readonly string[];
  /** How many vehicles of the brand are missing from the list. */
  readonly count: number | undefined;
  /** Who works on the archive, where the code is `archive-locked` and that is known. */
  readonly holder: LeaseHolder | undefined;

  constructor(
    code: ArchiveErrorCode,
    message: string,
    facts: {
      readonly differences?: readonly string[];
      readonly count?: number;
      readonly holder?: LeaseHolder;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.differences = facts.differences ?? [];
    this.count = facts.count;
    this.holder = facts.holder;
  }
}

/** @throws ArchiveError `invalid-argument`. */
export function requireArgument(isRight: boolean, reason: string): void {
  if (!isRight) throw new ArchiveError('invalid-argument', reason);
}
