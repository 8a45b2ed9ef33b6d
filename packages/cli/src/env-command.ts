import { Command, InvalidArgumentError, type Option } from 'commander';

/** Names that do not follow from the option. */
const otherNames: Readonly<Record<string, string>> = { out: 'VDS_ARCHIVE', 'no-color': 'NO_COLOR' };

/** Options that are given on the command line only: what ends sharing or deletes, and what tells one secret from another. */
const commandLineOnly = new Set(['confirm', 'confirm-purge', 'allow-withdrawal', 'api-key', 'version']);

/** Values that leave a switch off. */
const off = new Set(['0', 'false', 'no', 'off']);

/** The environment variable of an option; undefined where it has none. */
export function variableOf(option: Option): string | undefined {
  const name = option.long?.slice(2) ?? '';
  if (commandLineOnly.has(name)) return undefined;
  return otherNames[name] ?? `VDS_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** A command whose options can also be given in the environment. The command line wins. */
export class EnvCommand extends Command {
  readonly #env: NodeJS.ProcessEnv;

  constructor(name: string, env: NodeJS.ProcessEnv) {
    super(name);
    this.#env = env;
  }

  override createCommand(name = ''): EnvCommand {
    return new EnvCommand(name, this.#env);
  }

  override addOption(option: Option): this {
    super.addOption(option);
    const variable = variableOf(option);
    // Set after the option was added: commander shows the name, and leaves reading `process.env` to this class.
    if (variable !== undefined) option.env(variable);
    return this;
  }

  override parseOptions(given: string[]): ReturnType<Command['parseOptions']> {
    const rest = super.parseOptions(given);
    for (const option of this.options) {
      const variable = variableOf(option) ?? '';
      const text = this.#env[variable] ?? '';
      const name = option.attributeName();
      if (text === '' || this.getOptionValueSource(name) === 'cli') continue;
      if (!option.isBoolean()) this.setOptionValueWithSource(name, this.#read(option, text, variable), 'env');
      else if (!off.has(text.toLowerCase())) this.setOptionValueWithSource(name, !option.negate, 'env');
    }
    return rest;
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
