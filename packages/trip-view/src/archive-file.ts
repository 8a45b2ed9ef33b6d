/** One Parquet file of an archive folder, as `servePage` lists it. */
export interface ArchiveFile {
  /** Path from the folder, for messages. */
  readonly name: string;
  readonly bytes: number;
  /** Whether its window is to be fetched again. */
  readonly provisional: boolean;
}
