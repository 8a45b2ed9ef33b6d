import { Command, Option, type OptionValues } from 'commander';
import type { SyncOptions } from './commands/archive.js';
import type { ExportOptions } from './commands/export.js';
import type { PlotOptions } from './commands/pictures.js';
import type { QueryOptions } from './commands/query.js';
import type { TripOptions } from './commands/trips.js';
import { Context, type GlobalOptions } from './context.js';
import { EnvCommand } from './env-command.js';
import { brands, operationCommands, seriesCommands } from './generated/commands.js';
import type { Streams } from './streams.js';

const seriesNames = Object.keys(seriesCommands);

/** Runs an action with the context of the run, the options of the command and its arguments. */
type Act = <Options extends OptionValues>(
  action: (context: Context, options: Options, ...given: string[]) => Promise<void> | void,
) => (...given: unknown[]) => Promise<void>;

/** The command line of `vds`. Modules of a command are loaded when it runs, so that help and completion stay fast. */
export function createProgram(streams: Streams, version: string): Command {
  const program = new EnvCommand('vds', streams.env)
    .description('The vehicle data service on the command line.')
    .version(version)
    .option('--profile <name>', 'profile of the configuration file (default: default)')
    .option('--base-url <url>', 'address of the service or its proxy (default: http://127.0.0.1:8787)')
    .option('--brand <brand>', `vehicle brand: ${brands.join(', ')}`)
    .option('--timeout-ms <ms>', 'deadline of one request', '30000')
    .option('--json', 'JSON also on a terminal')
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
    });

  const act: Act =
    (action) =>
    async (...given) => {
      const command = given.at(-1);
      if (!(command instanceof Command)) throw new Error('commander passes the command last');
      const context = await Context.create(streams, command.optsWithGlobals<GlobalOptions>());
      const positional = given.slice(0, -2).map((text) => (text === undefined ? '' : String(text)));
      await action(context, command.opts(), ...positional);
    };
  addOperations(program, act);
  addTrips(program, act);
  addArchive(program, act);
  addConsent(program, act);
  addSettings(program, act);
  addTools(program, act);
  return program;
}

function addOperations(program: Command, act: Act): void {
  for (const operation of operationCommands) {
    const [word = '', second] = operation.words;
    const parent =
      second === undefined
        ? program
        : (program.commands.find((one) => one.name() === word) ??
          program.command(word).description(`Commands on ${word}`));
    const vehicle = operation.parameters.some(({ name }) => name === 'vin') ? ' <vehicle>' : '';
    const command = parent.command(`${second ?? word}${vehicle}`).description(operation.summary);
    if (operation.alias !== null) command.alias(operation.alias);
    for (const { name, required, description } of operation.parameters) {
      if (name === 'vin') continue;
      const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <value>`;
      command.addOption(new Option(flag, description).makeOptionMandatory(required));
    }
    command.action(
      act(async (context, options, named) => {
        const { runOperation } = await import('./commands/operation.js');
        await runOperation(
          context,
          operation,
          vehicle === '' ? options : { ...options, vin: context.vin(named ?? '') },
        );
      }),
    );
  }
}

type InFolder = { readonly out: string };

const day = '2026-03-01, 20260301, today, yesterday or 7d (seven days ago)';
const zone = ['--zone <zone>', 'IANA time zone of the days (default: UTC)'] as const;
const chosenTrip = ['--trip <number>', 'number in "vds trips list" (default: the last one)'] as const;
const chosenSignals = ['--signals <paths>', 'signals, separated by commas (default: all)'] as const;

function addTrips(program: Command, act: Act): void {
  const trips = program.command('trips').description('Trips of a vehicle');
  const load = () => import('./commands/trips.js');
  const pictures = () => import('./commands/pictures.js');
  const ofDays = (words: string, description: string) =>
    trips
      .command(words)
      .description(description)
      .addOption(
        new Option('--series <name>', 'which signals')
          .choices(seriesNames)
          .default(seriesNames.includes('driving') ? 'driving' : seriesNames[0]),
      )
      .option('--from <day>', day, '7d')
      .option('--to <day>', 'last day, included', 'today')
      .option(...zone);
  ofDays('list <vehicle>', 'List the trips of a range of days').action(
    act(async (context, options: TripOptions, vehicle = '') => (await load()).listTrips(context, vehicle, options)),
  );
  ofDays('show <vehicle>', 'Show one trip: a table and plots of its signals')
    .option(...chosenTrip)
    .option(...chosenSignals)
    .action(
      act(async (context, options: TripOptions, vehicle = '') => (await load()).showTrip(context, vehicle, options)),
    );
  ofDays('timing <vehicle>', 'What the data say about the time between samples').action(
    act(async (context, options: TripOptions, vehicle = '') => (await load()).tripTiming(context, vehicle, options)),
  );
  ofDays('plot <vehicle>', 'Draw trips: one as SVG, or all as one HTML page')
    .option(...chosenTrip)
    .option(...chosenSignals)
    .option('--svg', 'one trip as SVG')
    .option('--html', 'the trips of the days as one page that works without a network')
    .option('--output <file>', 'file to write (default: standard output)')
    .action(
      act(async (context, options: PlotOptions, vehicle = '') =>
        (await pictures()).plotTrip(context, vehicle, options),
      ),
    );
  trips
    .command('view [folder]')
    .description('Open the trip explorer on 127.0.0.1, over an archive or over the service')
    .option(...zone)
    .action(
      act(async (context, options, folder) =>
        (await pictures()).viewTrips(context, folder || undefined, options['zone']),
      ),
    );
}

function addArchive(program: Command, act: Act): void {
  const inFolder = (words: string, description: string) =>
    program.command(words).description(description).option('--out <folder>', 'folder of the archive', './archive');
  const concurrency = ['--concurrency <n>', 'requests at a time, 1 to 16', '2'] as const;
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
    .option(...concurrency)
    .option('--dry-run', 'print windows, requests and estimates; fetch nothing')
    .action(
      act(async (context, options: ExportOptions) =>
        (await import('./commands/export.js')).exportTrips(context, options),
      ),
    );
  inFolder('sync', 'Bring an archive up to date, and purge what is no longer shared')
    .option('--since <day>', 'first day (default: the first day of the archive)')
    .option('--confirm-purge <n>', 'number of vehicles that may be purged, where it is more than half')
    .option(...concurrency)
    .action(act(async (context, options: SyncOptions) => (await load()).sync(context, options)));
  inFolder('verify', 'Compare an archive with its manifest and read every file').action(
    act(async (context, options: InFolder) => (await load()).verify(context, options)),
  );
  inFolder('purge <vehicle>', 'Delete everything of one vehicle from an archive')
    .option('--confirm <name>', 'the alias or pseudonym again, where there is no terminal')
    .action(act(async (context, options: InFolder, vehicle = '') => (await load()).purge(context, vehicle, options)));
  inFolder('archive', 'List what an archive holds').action(
    act(async (context, options: InFolder) => (await load()).listArchive(context, options)),
  );
  inFolder('query <sql>', 'Ask an archive in SQL (DuckDB); - reads the query from standard input')
    .option('--max-rows <n>', 'rows to print at most', '1000')
    .option('--query-timeout-ms <ms>', 'deadline of the query', '60000')
    .action(
      act(async (context, options: QueryOptions, sql = '') =>
        (await import('./commands/query.js')).query(context, sql, options),
      ),
    );
}

function addConsent(program: Command, act: Act): void {
  const consent = program.command('consent').description('End data sharing');
  const load = () => import('./commands/consent.js');
  consent
    .command('stop <vehicle>')
    .description('End data sharing for one vehicle')
    .option('--confirm <name>', 'the alias or VIN again, where there is no terminal')
    .action(act(async (context, options, vehicle = '') => (await load()).stopSharing(context, vehicle, options)));
  consent
    .command('stop-all')
    .description('End data sharing for every vehicle of a brand; needs --brand on the command line')
    .option('--confirm <brand>', 'the brand again, where there is no terminal')
    .action(
      act(async (context, options) => {
        const isOnCommandLine = program.getOptionValueSource('brand') === 'cli';
        await (await load()).stopSharingForAll(context, { ...options, isOnCommandLine });
      }),
    );
}

function addSettings(program: Command, act: Act): void {
  const auth = program.command('auth').description('Access tokens and API keys');
  const secrets = () => import('./commands/auth.js');
  auth
    .command('login')
    .description('Keep an access token or API key, read from the terminal or standard input')
    .addOption(new Option('--store <where>', 'where to keep it').choices(['keyring', 'file']))
    .option('--api-key', 'the secret is an API key of the proxy')
    .option('--zone <zone>', 'default time zone of the profile')
    .action(act(async (context, options) => (await secrets()).login(context, options)));
  auth
    .command('status')
    .description('Show which secret is used and where it is')
    .action(act(async (context) => (await secrets()).status(context)));
  auth
    .command('logout')
    .description('Forget the secret of the profile')
    .action(act(async (context) => (await secrets()).logout(context)));

  const alias = program.command('alias').description('Names for vehicles, so that no VIN is in the shell history');
  const names = () => import('./commands/alias.js');
  alias
    .command('set <name>')
    .description('Name a vehicle: pick it from the list, or pipe its VIN')
    .option('--number <n>', 'number of the vehicle in "vds vehicles list"')
    .action(act(async (context, options, name = '') => (await names()).setAlias(context, name, options)));
  alias
    .command('list')
    .description('List the aliases')
    .action(act(async (context) => (await names()).listAliases(context)));
  alias
    .command('remove <name>')
    .description('Remove an alias')
    .action(act(async (context, _, name = '') => (await names()).removeAlias(context, name)));
}

function addTools(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('What works, what does not, what to do')
    .action(act(async (context) => (await import('./commands/doctor.js')).doctor(context)));
  program
    .command('schema [command...]')
    .description('JSON Schema of what a command returns')
    .action(
      act(async (context, _, words) =>
        (await import('./commands/schema.js')).schema(context, words?.replaceAll(',', ' ') || undefined),
      ),
    );
  program
    .command('sandbox')
    .description('Start the service in playable form on 127.0.0.1:8788')
    .allowUnknownOption()
    .argument('[options...]', 'options of the sandbox')
    .action(
      act(async (context, _, given = '') => (await import('./commands/sandbox.js')).startSandbox(context, given)),
    );
  program
    .command('mcp')
    .description('Serve read-only tools to an AI agent on standard input and output (MCP)')
    .option('--exact-position', 'positions as sent instead of rounded to about a kilometer')
    .option('--archive <folder>', 'add a tool that asks an archive in SQL')
    .option('--allow-withdrawal', 'add the tool that ends sharing for one vehicle, confirmed by a person')
    .action(act(async (context, options) => (await import('./mcp/server.js')).serveMcp(context, options)));
}
