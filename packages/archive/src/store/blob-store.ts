/**
 * Where the files of an archive are: a folder, or a bucket. A store knows keys and bytes and nothing of windows, vehicles or
 * manifests. Temporary names, renames and fsyncs, or multipart uploads and signatures, are its own affair.
 *
 * Keys are relative paths with `/`, such as `brand=a/vehicle=5f0c…/series=driving/month=2026-03/2026-03-01_2026-03-08.parquet`.
 */
export interface BlobStore {
  /**
   * Writes an object whole. When it resolves, the object survives a crash. At any moment a reader finds the old bytes or the new
   * ones, never a part. Calling it again with the same bytes changes nothing.
   *
   * @throws whatever the store throws: the object is then as before, or as after, never in between.
   */
  put(key: string, bytes: Uint8Array, options: PutOptions): Promise<void>;
  /** The bytes of an object; `undefined` where there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** What is known of an object without reading it; `undefined` where there is none. */
  head(key: string): Promise<BlobInfo | undefined>;
  /**
   * Objects whose keys begin with `prefix`, in the order of their keys, a page at a time. Objects that are written meanwhile may be
   * left out. Unfinished writes are no objects.
   *
   * @param prefix Text that the keys begin with. Archives list whole folders: it is empty or ends with `/`.
   * @param cursor What the page before returned. Default: the first page.
   */
  list(prefix: string, cursor?: string): Promise<BlobPage>;
  /** Removes an object. One that is gone is fine. */
  remove(key: string): Promise<void>;
  /**
   * Removes every object below a prefix, earlier versions and unfinished writes included, and what the store keeps to hold them,
   * such as folders. When it resolves, `list(prefix)` is empty, also after a crash. Where it fails midway, calling it again
   * continues.
   *
   * @param prefix Never empty; ends with `/`.
   * @param mayRemove Asked before anything is removed and, where objects are removed in several steps, before each. What it throws ends the
   *   removal and is thrown.
   * @returns how many objects there were.
   */
  removeAll(prefix: string, mayRemove?: () => Promise<void>): Promise<number>;
}

/** How an object is written. */
export interface PutOptions {
  /** SHA-256 of the bytes, 64 hexadecimal digits. Stores that can check or keep it do. */
  readonly sha256: string;
  /** `true` writes only where there is no object yet. Stores that cannot promise that ignore it: nothing rests on it alone. */
  readonly ifNoneMatch?: boolean | undefined;
}

/** What a store knows of an object. */
export interface BlobInfo {
  readonly key: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 where the store keeps it, 64 hexadecimal digits. */
  readonly sha256?: string | undefined;
}

/** A page of a list. */
export interface BlobPage {
  readonly blobs: readonly BlobInfo[];
  /** Pass it to `list` for the next page; `undefined` after the last. */
  readonly cursor?: string | undefined;
}
