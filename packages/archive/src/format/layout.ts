// Where things stand in an archive. No module of Node.js is used here, so that a page can read an archive as well.

/** The manifest of a vehicle, in the folder of the vehicle. Readers of data lakes skip names that begin with an underscore. */
export const manifestName = '_manifest.ndjson';

/** The key of a vehicle for backups, in the folder of the vehicle. Purging the vehicle destroys it. */
export const backupKeyName = '_backup.key';

/** Who exported a vehicle, in the folder of the vehicle. */
export const exportsName = '_exports.ndjson';

/** Who copied the archive, at its top. */
export const copiesName = 'archive.copies';

/** What an archive keeps beside the files of a vehicle. */
export const recordNames = [manifestName, backupKeyName, exportsName] as const;

/** SQL files of an archive of trips in Parquet, by engine. */
export const viewNames = ['views.duckdb.sql', 'views.spark.sql', 'views.trino.sql'] as const;

/** Files at the top of an archive. */
export const ownFiles: ReadonlySet<string> = new Set([
  'archive.json',
  'archive.key',
  'archive.lock',
  'archive.erased',
  'receipts.key',
  copiesName,
  // The manifest of all vehicles, as version 1 had it.
  'manifest.ndjson',
  ...viewNames,
]);

/** Where receipts are, with the public keys that verify them. */
export const receiptsFolder = 'receipts';

/** What a receipt will say, until the vehicle is gone. */
export const receiptDraft = /^\.receipt-(?<brand>[\w-]+)-(?<vehicle>[0-9a-f]+)\.json$/;

/** Whether a path is that of a file of the archive itself, not of a vehicle. */
export const isOwnFile = (path: string) =>
  ownFiles.has(path) || receiptDraft.test(path) || /^receipts\/(.+-[0-9a-f]{32}-\d+\.json|[\w-]{43}\.pem)$/.test(path);

/** What the path of a window's file looks like. */
export const windowPath =
  /^brand=(?<brand>[\w-]+)\/vehicle=(?<vehicle>[0-9a-f]+)\/series=(?<series>\w+)\/month=\d{4}-\d\d\/(?<from>\d{4}-\d\d-\d\d)_(?<to>\d{4}-\d\d-\d\d)\.\w+$/;

/** The key of what an archive holds of a vehicle, with a slash at its end. */
export const vehiclePrefix = ({ brand, vehicle }: { readonly brand: string; readonly vehicle: string }) =>
  `brand=${brand}/vehicle=${vehicle}/`;

/** The key of a window's file. The layout is that of hive partitions. */
export function windowPathOf(
  window: {
    readonly brand: string;
    readonly vehicle: string;
    readonly series: string;
    readonly from: string;
    readonly to: string;
  },
  format: string,
): string {
  const { series, from, to } = window;
  return `${vehiclePrefix(window)}series=${series}/month=${from.slice(0, 7)}/${from}_${to}.${format}`;
}
