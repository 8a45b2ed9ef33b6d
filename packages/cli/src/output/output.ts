import type { ArchiveError } from '@vehicle-data/archive';
import { CliError, exitCodes } from '../cli-error.js';
import type { Streams } from '../streams.js';
import { jsonLine, printable } from './printable.js';
import { foldedLine, renderTable, type TableColumns } from './table.js';

/** What a person reads and a program reads: tables on a terminal, JSON elsewhere. */
export class Output {
  readonly isJson: boolean;
  /** Whether a person sees at once what is written. */
  readonly isTerminal: boolean;
  readonly isQuiet: boolean;
  /** Columns of the terminal. One without a size says 0. */
  readonly width: number;
  readonly #hasColor: boolean;
  readonly #columns: readonly string[] | undefined;
  readonly #streams: Streams;
  readonly #noted = new Set<string>();

  constructor(
    streams: Streams,
    options: {
      readonly json?: boolean;
      readonly quiet?: boolean;
      readonly color?: boolean;
      readonly columns?: string;
    },
  ) {
    this.#streams = streams;
    this.isTerminal = streams.stdout.isTTY === true;
    this.isJson = options.json ?? !this.isTerminal;
    this.isQuiet = options.quiet ?? false;
    this.width = streams.stdout.columns || 100;
    this.#columns = options.columns?.split(',').map((title) => title.trim());
    this.#hasColor =
      options.color !== false && !streams.env['NO_COLOR'] && this.isTerminal && streams.env['TERM'] !== 'dumb';
  }

  /** One value: as JSON, or as the lines that a person reads. */
  record(value: unknown, lines: () => readonly string[]): void {
    this.raw(`${this.isJson ? jsonLine(value) : lines().join('\n')}\n`);
  }

  /** A list: one JSON value a line, or a table. */
  list<Row>(rows: readonly Row[], columns: TableColumns<Row>, whenEmpty: string): void {
    if (this.isJson) for (const row of rows) this.raw(`${jsonLine(row)}\n`);
    else if (rows.length === 0) this.note(whenEmpty);
    else this.raw(`${this.table(rows, columns)}\n`);
  }

  /** A table that fits the terminal, of the columns that `--columns` names. Says on stderr what it leaves out. */
  table<Row>(rows: readonly Row[], columns: TableColumns<Row>): string {
    const { width } = this;
    const { text, hidden } = renderTable(rows, columns, { width, hasColor: this.#hasColor, wanted: this.#columns });
    if (hidden.length > 0) {
      const named = hidden.length > 8 ? `${hidden.length} columns` : hidden.join(', ');
      this.note(`No room for ${named}. Choose with --columns, widen the terminal, or use --json.`);
    }
    return text;
  }

  /** A table beside another one: `--columns` is not about it. */
  sideTable<Row>(rows: readonly Row[], columns: TableColumns<Row>): string {
    return renderTable(rows, columns, { width: this.width, hasColor: this.#hasColor }).text;
  }

  raw(content: string | Uint8Array): void {
    this.#streams.stdout.write(content);
  }

  /** A remark for people, on stderr, in lines that fit a terminal; `--quiet` leaves it out, and none is repeated. */
  note(text: string): void {
    if (this.isQuiet || this.#noted.has(text)) return;
    this.#noted.add(text);
    const { stderr } = this.#streams;
    const width = stderr.isTTY === true ? stderr.columns || 80 : Number.POSITIVE_INFINITY;
    const lines = text.split('\n').flatMap((line) => foldedLine(line, width));
    stderr.write(`${lines.join('\n')}\n`);
  }

  /**
   * One error, on stderr: one JSON object, or a message with a hint. Returns the exit code.
   *
   * @param baseUrl The address that the command called, where it is known.
   */
  async error(error: unknown, baseUrl?: string): Promise<number> {
    const { exitCode, ...facts } = await errorFacts(error, baseUrl);
    const { message, hint, requestId, docsUrl }: ErrorFacts = facts;
    const from = requestId === undefined ? '' : ` (request ${printable(requestId)})`;
    const lines = [`vds: ${printable(message, 1000)}${from}`, hint && `     ${hint}`, docsUrl && `     ${docsUrl}`];
    const text = this.isJson ? jsonLine({ error: facts }) : lines.filter(Boolean).join('\n');
    this.#streams.stderr.write(`${text}\n`);
    return exitCode;
  }
}

/** What to do next, by the resolution of an error of the service. */
export const hints: Readonly<Record<string, string>> = {
  'refresh-token': 'Get a new access token, then run "vds auth login".',
  'fix-credentials': 'Check the access token or API key: vds auth status',
  'ask-consent':
    'The owner does not share this vehicle, or its VIN has a typo: vds vehicles list. If it is right, delete what you hold of it: vds purge',
  'check-effect': 'It may have taken effect. See: vds vehicles list',
  retry: 'Try again later.',
};

/** Where the sandbox listens: names that stay. */
const sandboxUrl = 'http://127.0.0.1:8788';

/** What to do where nothing listens at an address. */
export const startHint = (baseUrl: string) =>
  baseUrl === sandboxUrl
    ? 'Start the sandbox: vds sandbox'
    : `Check --base-url; or try the sandbox: vds sandbox, then --base-url ${sandboxUrl}`;

const diskHints: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Make room and run the same command again.',
  ENOENT: 'The folder is not there and cannot be made. Choose another with --out.',
  EROFS: 'The folder is read-only. Choose another with --out.',
  EEXIST: 'What should be a folder is a file. Choose another folder with --out.',
  ENOTDIR: 'What should be a folder is a file. Choose another folder with --out.',
  EACCES: 'You may not write there. Choose another folder with --out.',
};

/** Options that set what an archive is bound to. */
const settingOptions: Readonly<Record<string, string>> = {
  source: '--base-url, --profile',
  zoneId: '--zone',
  format: '--format',
  shape: '--shape',
};

/** What to do where the settings of an archive differ from those of the command line. */
function differenceHint(differences: readonly string[]): string | undefined {
  if (differences.includes('contract'))
    return 'To write new files with the current contract: vds export --accept-contract. Files that are there stay as they are.';
  const options = differences.flatMap((name) => settingOptions[name] ?? []);
  return `Check ${[...options, '--out'].join(', ')}.`;
}

/** Exit codes of errors of an archive that no other command line would avoid. */
const archiveHints: Readonly<Record<string, string>> = {
  'archive-locked': 'A lock expires two minutes after its holder ended. If you know that it ended: vds archive unlock',
  'archive-damaged': 'vds archive repair makes the manifests from the files again.',
};

const archiveExitCodes: Readonly<Record<string, number>> = {
  'archive-damaged': exitCodes.failed,
  'archive-locked': exitCodes.failed,
  'purge-not-confirmed': exitCodes.partial,
};

interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly requestId?: string | undefined;
  readonly docsUrl?: string | undefined;
}

/** What is known about an error. An unexpected one shows its name alone: its message could quote anything. */
async function errorFacts(error: unknown, baseUrl: string | undefined) {
  if (error instanceof CliError) {
    const { code, message, hint, exitCode } = error;
    return { code, message, hint, exitCode };
  }
  const { isVehicleDataError } = await import('@vehicle-data/client');
  if (isVehicleDataError(error)) {
    const { code, message, resolution, mayHaveTakenEffect, requestId, docsUrl } = error;
    const exitCode =
      code === 'invalid-argument' ? exitCodes.usage : code === 'aborted' ? exitCodes.interrupted : exitCodes.failed;
    // The page that documents the error is at the address that does not respond.
    const isUnreachable = code === 'connection-failed' && resolution === 'retry' && baseUrl !== undefined;
    const more = isUnreachable
      ? { hint: `Nothing responds at ${baseUrl}. ${startHint(baseUrl)}` }
      : { hint: hints[resolution], requestId, docsUrl };
    return { code, message, resolution, mayHaveTakenEffect, ...more, exitCode };
  }
  const name = error instanceof Error ? error.name : 'an unknown error';
  if (!(error instanceof Error && 'code' in error && (name === 'ArchiveError' || 'syscall' in error)))
    return { code: 'unexpected', message: `unexpected failure (${name})`, exitCode: exitCodes.failed };
  const code = String(error.code);
  if (name === 'ArchiveError') {
    const { differences } = error as ArchiveError;
    const hint = code === 'settings-differ' ? differenceHint(differences) : archiveHints[code];
    return { code, message: error.message, hint, exitCode: archiveExitCodes[code] ?? exitCodes.usage };
  }
  // A disk that is full, read-only or not permitted: the code says which, the message would name a path.
  const message = `a file could not be read or written (${code})`;
  return { code, message, hint: diskHints[code], exitCode: exitCodes.failed };
}
