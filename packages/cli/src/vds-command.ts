import { Command, InvalidArgumentError, Option, type OptionValues } from 'commander';
import { type Context, createContext, type GlobalOptions } from './context.js';
import type { Streams } from './streams.js';

/** Names that do not follow from the option. */
const otherNames: Readonly<Record<string, string>> = { out: 'VDS_ARCHIVE', 'no-color': 'NO_COLOR' };

/**
 * Options that are given on the command line only: what confirms something once, what would make every export do nothing, what opens an archive to agents, what chooses the columns
 * of one table, and what tells one secret from another and where it is kept.
 */
const commandLineOnly = new Set([
  'accept-contract',
  'confirm',
  'confirm-purge',
  'forget-missing',
  'allow-withdrawal',
  'api-key',
  'archive',
  'columns',
  'dry-run',
  'readmit',
  'store',
  'version',
]);

/** Values that leave a switch off. */
const off = new Set(['0', 'false', 'no', 'off']);

/** What a command does with the context of the run, its options and its arguments. */
type Action<Options> = (context: Context, options: Options, ...given: string[]) => Promise<void> | void;

/** The words of one argument: several of one that ends in `...`, and an empty one where none was given. */
const wordsOf = (argument: unknown) => (Array.isArray(argument) ? argument.map(String) : String(argument ?? ''));

/** An option whose variable would be that of another option. */
export class CommandLineOption extends Option {}

/** The environment variable of an option; undefined where it has none. */
function variableOf(option: Option): string | undefined {
  const name = option.long?.slice(2) ?? '';
  if (commandLineOnly.has(name) || option instanceof CommandLineOption) return undefined;
  return otherNames[name] ?? `VDS_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** A command whose options can also be given in the environment. The command line wins. */
export class VdsCommand extends Command {
  readonly #streams: Streams;

  constructor(name: string, streams: Streams) {
    super(name);
    this.#streams = streams;
  }

  override createCommand(name = ''): VdsCommand {
    return new VdsCommand(name, this.#streams);
  }

  /** Sets what the command does. Its module is loaded when it runs, so that help and completion stay fast. */
  runs<Options extends OptionValues>(load: () => Promise<Action<Options>>): this {
    return this.action(async (...given: unknown[]) => {
      const isBrandTyped = this.getOptionValueSourceWithGlobals('brand') === 'cli';
      const context = await createContext(this.#streams, this.optsWithGlobals<GlobalOptions>(), isBrandTyped);
      const action = await load();
      await action(context, this.#options() as Options, ...given.slice(0, -2).flatMap(wordsOf));
    });
  }

  /** The options of the command. One that the command above has as well is read by that one, wherever it stands on the line. */
  #options(): OptionValues {
    const options = this.opts();
    for (const name of Object.keys(options))
      if (this.parent?.getOptionValueSource(name) === 'cli') options[name] = this.parent.getOptionValue(name);
    return options;
  }

  override addOption(option: Option): this {
    // Commander would take the last value and drop the others. A switch says the same twice.
    this.on(`option:${option.name()}`, () => {
      if ((option.required || option.optional) && this.getOptionValueSource(option.attributeName()) === 'cli')
        this.error(`error: option '${option.flags}' is given twice`);
    });
    super.addOption(option);
    const variable = variableOf(option);
    // Set after the option was added: commander shows the name, and leaves reading `process.env` to this class.
    if (variable !== undefined) option.env(variable);
    return this;
  }

  override parseOptions(given: string[]): ReturnType<Command['parseOptions']> {
    const rest = super.parseOptions(given);
    const [typo] = rest.unknown;
    // Commander would name an option that is missing, although it is there with a typo.
    if (typo !== undefined && this.#isUnknown(typo)) this.unknownOption(typo);
    for (const option of this.options) {
      const variable = variableOf(option) ?? '';
      const text = this.#streams.env[variable] ?? '';
      const name = option.attributeName();
      if (text === '' || this.getOptionValueSource(name) === 'cli') continue;
      if (!option.isBoolean()) this.setOptionValueWithSource(name, this.#read(option, text, variable), 'env');
      else if (!off.has(text.toLowerCase())) this.setOptionValueWithSource(name, !option.negate, 'env');
    }
    return rest;
  }

  /** Whether a word is an option that this command does not have and that no other command reads. */
  #isUnknown(word: string): boolean {
    const isHelp = word === '-h' || word === '--help';
    const takesAll = this.commands.length > 0 || this._allowUnknownOption;
    return (
      word.startsWith('-') && word !== '-' && !isHelp && !takesAll && this.options.some(({ mandatory }) => mandatory)
    );
  }

  #read(option: Option, text: string, variable: string): unknown {
    try {
      return option.parseArg ? option.parseArg(text, undefined) : text;
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      return this.error(`error: the value of ${variable} is invalid. ${error.message}`);
    }
  }
}
