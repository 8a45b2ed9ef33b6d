/** SQL files of an archive of trips in Parquet, by engine. */
export const viewNames = ['views.duckdb.sql', 'views.spark.sql', 'views.trino.sql'] as const;

/** Files of an archive that are no windows. */
export const ownFiles: ReadonlySet<string> = new Set([
  'archive.json',
  'archive.key',
  'archive.lock',
  'manifest.ndjson',
  ...viewNames,
]);

/** What the path of a window's file looks like. */
export const windowPath = /^brand=[\w-]+\/vehicle=[0-9a-f]+\/series=\w+\/month=\d{4}-\d\d\/[\w-]+\.\w+$/;

/** Whether a path is that of a file of the archive before it has its name, as a crash leaves it. See `temporaryOf`. */
export function isTemporary(path: string): boolean {
  const name = path.replace(/(^|\/)\.([^/]+?)(-[0-9a-f-]{36})?\.tmp$/, '$1$2');
  return name !== path && (ownFiles.has(name) || windowPath.test(name));
}
