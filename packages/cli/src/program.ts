// All commands of vds, with their options. Each loads its code when it runs; those of an archive are in a file of their own.
import { Option } from 'commander';
import { addArchive } from './archive-commands.js';
import { day, describe, seriesNames, zone } from './command-words.js';
import { brands, operationCommands } from './generated/commands.js';
import type { Streams } from './streams.js';
import { VdsCommand } from './vds-command.js';

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
