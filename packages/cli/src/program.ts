import { Option } from 'commander';
import { brands, operationCommands, seriesCommands } from './generated/commands.js';
import type { Streams } from './streams.js';
import { CommandLineOption, VdsCommand } from './vds-command.js';

const seriesNames = Object.keys(seriesCommands);

export function createProgram(streams: Streams, version: string): VdsCommand {
  const program = new VdsCommand('vds', streams)
    .description('The vehicle data service on the command line.')
    .version(version)
    .option('--profile <name>', 'profile of the configuration file (default: default)')
    .option('--base-url <url>', 'address of the service or its proxy (default: http://127.0.0.1:8787)')
    .option('--brand <brand>', `vehicle brand: ${brands.join(', ')}`)
    .option(
      '--brands <names>',
      "brands of the service, separated by commas (default: the profile's, else the contract's)",
    )
    .option('--timeout-ms <ms>', 'deadline of one request', '30000')
    .option('--token-command <command>', 'command that prints an access token, run again when the token is rejected')
    .option('--json', 'JSON also on a terminal')
    .option('--columns <titles>', 'columns of a table, separated by commas (default: those that fit)')
    .option('-q, --quiet', 'no remarks on stderr')
    .option('--no-color', 'no colors')
    .addHelpText(
      'after',
      '\nShell completion: vds completion bash (zsh, fish, powershell)\nExit codes: 0 done, 1 failed, 2 some vehicles failed, 3 verify found a difference, 4 wrong usage, 130 interrupted.',
    )
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
      // `run` prints errors.
      outputError: () => {},
    });

  addOperations(program);
  addTrips(program);
  addArchive(program);
  addConsent(program);
  addSettings(program);
  addTools(program);
  return program;
}

const describe = (parent: VdsCommand, words: string, description: string) =>
  parent.command(words).description(description);

function addOperations(program: VdsCommand): void {
  const groups = new Map<string, VdsCommand>();
  for (const operation of operationCommands) {
    const [word = '', second] = operation.words;
    const group = second === undefined ? program : (groups.get(word) ?? describe(program, word, `Commands on ${word}`));
    if (second !== undefined) groups.set(word, group);
    const vehicle = operation.parameters.some(({ name }) => name === 'vin') ? ' <vehicle>' : '';
    const command = describe(group, `${second ?? word}${vehicle}`, operation.summary);
    if (operation.alias !== null) command.alias(operation.alias);
    for (const { name, required, description } of operation.parameters) {
      if (name === 'vin') continue;
      const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <value>`;
      command.addOption(new Option(flag, description).makeOptionMandatory(required));
    }
    command.runs(async () => (await import('./commands/operation.js')).runnerOf(operation));
  }
}

const day = '2026-03-01, 20260301, today, yesterday or 7d (seven days ago)';
const zone = ['--zone <zone>', 'IANA time zone of the days (default: UTC)'] as const;
const chosenTrip = ['--trip <number>', 'number in "vds trips list" (default: the last one)'] as const;
const chosenSignals = ['--signals <paths>', 'signals, separated by commas (default: all)'] as const;

function addTrips(program: VdsCommand): void {
  const trips = describe(program, 'trips', 'Trips of a vehicle');
  const load = () => import('./commands/trips.js');
  const pictures = () => import('./commands/pictures.js');
  const ofDays = (words: string, description: string, series = 'which signals (default: driving)') =>
    describe(trips, words, description)
      .addOption(new Option('--series <name>', series).choices(seriesNames))
      .option('--from <day>', day, '7d')
      .option('--to <day>', 'last day, included', 'today')
      .option(...zone);
  describe(program, 'week <vehicle>', 'The last seven days of a vehicle on one screen')
    .option('--to <day>', 'last of the seven days', 'today')
    .option(...zone)
    .runs(async () => (await import('./commands/week.js')).showWeek);
  ofDays('list <vehicle>', 'List the trips of a range of days, with facts').runs(async () => (await load()).listTrips);
  ofDays('show <vehicle>', 'Show one trip: facts, moments, and its signals as a table and plots')
    .option(...chosenTrip)
    .option(...chosenSignals)
    .runs(async () => (await load()).showTrip);
  ofDays('timing <vehicle>', 'What the data say about the time between samples').runs(
    async () => (await load()).tripTiming,
  );
  ofDays(
    'plot <vehicle>',
    'Draw trips: one as SVG, or all as one HTML page',
    'which signals (default: driving; all with --html)',
  )
    .option(...chosenTrip)
    .option(...chosenSignals)
    .option('--svg', 'one trip as SVG')
    .option('--html', 'the trips of the days as one page that works without a network')
    .option('--output <file>', 'file to write (default: standard output)')
    .runs(async () => (await pictures()).plotTrip);
  describe(trips, 'view [folder]', 'Open the trip explorer on 127.0.0.1, over an archive or over the service')
    .option(...zone)
    .runs(async () => (await pictures()).viewTrips);
}

function addArchive(program: VdsCommand): void {
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

function addConsent(program: VdsCommand): void {
  const consent = describe(program, 'consent', 'End data sharing');
  const load = () => import('./commands/consent.js');
  describe(consent, 'stop <vehicle>', 'End data sharing for one vehicle')
    .option('--confirm <name>', 'the alias or VIN again, where there is no terminal')
    .runs(async () => (await load()).stopSharing);
  describe(consent, 'stop-all', 'End data sharing for every vehicle of a brand; needs --brand on the command line')
    .option('--confirm <brand>', 'the brand again, where there is no terminal')
    .runs(async () => (await load()).stopSharingForAll);
}

function addSettings(program: VdsCommand): void {
  const auth = describe(program, 'auth', 'Access tokens and API keys');
  const secrets = () => import('./commands/auth.js');
  describe(auth, 'login', 'Keep an access token or API key, read from the terminal or standard input')
    .addOption(new Option('--store <where>', 'where to keep it').choices(['keyring', 'file']))
    .option('--api-key', 'the secret is an API key of the proxy')
    .option('--zone <zone>', 'default time zone of the profile')
    .runs(async () => (await secrets()).login);
  describe(auth, 'status', 'Show which secret is used and where it is').runs(async () => (await secrets()).status);
  describe(auth, 'logout', 'Forget the secret of the profile').runs(async () => (await secrets()).logout);

  const alias = describe(program, 'alias', 'Names for vehicles, so that no VIN is in the shell history');
  const names = () => import('./commands/alias.js');
  describe(alias, 'set <name>', 'Name a vehicle: pick it from the list, or pipe its VIN')
    .option('--number <n>', 'number of the vehicle in "vds vehicles list"')
    .runs(async () => (await names()).setAlias);
  describe(alias, 'list', 'List the aliases').runs(async () => (await names()).listAliases);
  describe(alias, 'remove <name>', 'Remove an alias').runs(async () => (await names()).removeAlias);
}

function addTools(program: VdsCommand): void {
  describe(program, 'doctor', 'What works, what does not, what to do').runs(
    async () => (await import('./commands/doctor.js')).doctor,
  );
  describe(program, 'schema [command...]', 'JSON Schema of what a command returns').runs(
    async () => (await import('./commands/schema.js')).schema,
  );
  describe(program, 'sandbox', 'Start the service in playable form on 127.0.0.1:8788')
    .allowUnknownOption()
    .argument('[options...]', 'options of the sandbox')
    .runs(async () => (await import('./commands/sandbox.js')).startSandbox);
  const events = () => import('./commands/events.js');
  describe(program, 'listen', 'Receive events of a proxy on 127.0.0.1, print and forward them, for development')
    .option('--events-port <port>', 'port to listen on; 0 for a free one', '8790')
    .option('--forward-to <url>', 'receiver on this machine that gets each event')
    .runs(async () => (await events()).listen);
  describe(program, 'trigger <event>', 'Sign an example of an event and send it to a receiver on this machine')
    .option('--events-url <url>', 'address of the receiver', 'http://127.0.0.1:8790/')
    .runs(async () => (await events()).trigger);
  describe(program, 'mcp', 'Serve read-only tools to an AI agent on standard input and output (MCP)')
    .option('--exact-position', 'positions as sent instead of rounded to about a kilometer')
    .option('--archive <folder>', 'add a tool that asks an archive in SQL')
    .option('--allow-withdrawal', 'add the tool that ends sharing for one vehicle, confirmed by a person')
    .runs(async () => (await import('./mcp/server.js')).serveMcp);
}
