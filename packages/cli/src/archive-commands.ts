// The commands of vds on an archive: what it takes from the service, what it holds, its copies and its receipts.
import { Option } from 'commander';
import { day, describe, seriesNames, zone } from './command-words.js';
import { CommandLineOption, type VdsCommand } from './vds-command.js';

export function addArchive(program: VdsCommand): void {
  const out = ['--out <folder>', 'folder of the archive', './archive'] as const;
  const inFolder = (words: string, description: string) => describe(program, words, description).option(...out);
  const concurrency = ['--concurrency <n>', 'requests at a time, 1 to 16', '2'] as const;
  const maxRate = ['--max-rate <n>', 'windows to request a second at most (default: no limit)'] as const;
  const load = () => import('./commands/archive.js');

  inFolder('export', 'Save trips as files; the same command resumes')
    .option('--vehicle <names>', 'all, or aliases and VINs separated by commas', 'all')
    .option('--series <names>', 'series, separated by commas', seriesNames.join(','))
    .requiredOption('--from <day>', day)
    .option('--to <day>', 'last day, included', 'yesterday')
    .option(...zone)
    .addOption(
      new Option('--format <format>', 'kind of files').choices(['parquet', 'ndjson', 'csv']).default('parquet'),
    )
    .addOption(
      new Option('--shape <shape>', 'one row for a trip or for a sample (Parquet)').choices(['trips', 'samples']),
    )
    .addOption(
      new Option('--names <names>', 'names of signals in CSV: contract, or vss with its units').choices([
        'contract',
        'vss',
      ]),
    )
    .option(...concurrency)
    .option(...maxRate)
    .option('--accept-contract', 'continue an archive of an earlier contract; its files stay as they are')
    .option('--exact-days', 'fetch no day outside the range (default: whole windows of up to eight days)')
    .option('--dry-run', 'print windows, requests and estimates; fetch nothing')
    .option('--readmit', 'also vehicles that were purged for good')
    .runs(async () => (await import('./commands/export.js')).exportTrips);
  inFolder('sync', 'Bring an archive up to date, and purge what is no longer shared')
    .option('--vehicle <names>', 'all, or aliases and VINs separated by commas (default: those in the archive)')
    .option('--since <day>', 'first day (default: the first day of the archive)')
    .option('--confirm-purge <n>', 'number of vehicles that may be purged, where it is more than half')
    .option(...concurrency)
    .option(...maxRate)
    .option('--readmit', 'also vehicles that were purged for good')
    .runs(async () => (await load()).sync);
  inFolder('verify', 'Compare an archive with its manifest and read every file').runs(
    async () => (await load()).verify,
  );
  inFolder('quality', 'What of the data is missing, late, changed or odd, by month')
    .option('--vehicle <names>', 'aliases, VINs or pseudonyms, separated by commas (default: all)')
    .option('--since <day>', 'first month, by one of its days (default: the first of the archive)')
    .option('--csv', 'one line a vehicle and month')
    .option('--svg', 'a picture: a strip of days for each month')
    .option('--check', 'exit with 3 if there is an alarm: for monitoring')
    .runs(async () => (await import('./commands/quality.js')).quality);
  inFolder('purge <vehicle>', 'Delete everything of one vehicle from an archive')
    .option('--confirm <name>', 'the alias, VIN or pseudonym again, where there is no terminal')
    .runs(async () => (await load()).purge);
  addBackup(program, out);
  addReceipts(program, out);
  const archive = inFolder('archive', 'List what an archive holds');
  archive
    .option('--max-rows <n>', 'rows to print at most', '1000')
    .option('--vehicle <names>', 'only these vehicles: aliases, VINs or pseudonyms (default: all)')
    .runs(async () => (await load()).listArchive);
  describe(archive, 'unlock', 'End the lock of a process that is known to have ended')
    .option(...out)
    .runs(async () => (await load()).unlock);
  describe(archive, 'repair', 'Make the manifests from the files again')
    .option(...out)
    .runs(async () => (await load()).repair);
  describe(archive, 'who <vehicle>', 'Who exported a vehicle and who copied it: when, and to where')
    .option(...out)
    .option('--csv', 'one line an export or copy')
    .runs(async () => (await import('./commands/accesses.js')).showAccesses);
  describe(archive, 'merge', 'Put each settled month of a vehicle and series into one file')
    .option(...out)
    .runs(async () => (await load()).merge);
  inFolder('query <sql>', 'Ask an archive in SQL (DuckDB): days of its zone, times in UTC')
    .option('--max-rows <n>', 'rows to print at most', '1000')
    .option('--query-timeout-ms <ms>', 'deadline of the query', '60000')
    .addOption(
      new Option('--bigint <as>', 'whole numbers and decimals as numbers where they stay exact, or as texts')
        .choices(['number', 'string'])
        .default('number'),
    )
    .runs(async () => (await import('./commands/query.js')).query);
}

function addBackup(program: VdsCommand, out: readonly [string, string, string]): void {
  const load = () => import('./commands/backup.js');
  describe(program, 'backup', 'Copy an archive, each vehicle sealed under a key that its purge destroys')
    .option(...out)
    // VDS_TO is the last day of a range.
    .addOption(new CommandLineOption('--to <folder>', 'folder of the backup').makeOptionMandatory())
    .option('--recipient <key>', 'age recipient who can restore (age1…)')
    .option('--identity <file>', 'file with the age identity of the recipient; made where there is none')
    .option('--keys-to <folder>', 'folder of the keys (default: keys in the folder of the backup)')
    .option('--key-days <n>', 'days until older keys expire: how long a vehicle can be restored after its purge', '7')
    .option('--keep-days <n>', 'days that earlier versions of files are kept', '30')
    .option('--forget-missing', 'keys expire also of vehicles that are missing and were not purged')
    .runs(async () => (await load()).backup);
  describe(program, 'restore <backup>', 'Make an archive from its backup again')
    .option(...out)
    .requiredOption('--identity <file>', 'file with the age identity of the recipient')
    .option('--keys-from <folder>', 'folder of the keys (default: keys in the folder of the backup)')
    .option('--generation <name>', 'generation of the keys; files as they were then (default: the newest)')
    .runs(async () => (await load()).restore);
}

function addReceipts(program: VdsCommand, out: readonly [string, string, string]): void {
  const receipts = describe(program, 'receipts', 'Receipts of what was purged');
  const load = () => import('./commands/receipts.js');
  const key = [
    '--public-key <path>',
    'public key (PEM) or a folder of them (default: those beside the receipts)',
  ] as const;
  const html = ['--html', 'a page that a person can read'] as const;
  const output = ['--output <file>', 'file of the page (default: standard output)'] as const;
  describe(receipts, 'list', 'List what was purged, when and why')
    .option(...out)
    .option('--vehicle <names>', 'aliases, VINs or pseudonyms, separated by commas (default: all)')
    .option(...key)
    .option(...html)
    .option(...output)
    .runs(async () => (await load()).listReceipts);
  describe(receipts, 'show <receipt>', 'Show one receipt')
    .option(...out)
    .option(...key)
    .option(...html)
    .option(...output)
    .runs(async () => (await load()).showReceipt);
  describe(
    receipts,
    'verify [files...]',
    'Verify signatures: of an archive, or of files with --public-key; works offline',
  )
    .option(...out)
    .option(...key)
    .runs(async () => (await load()).verifyReceipts);
}
