import type { Complete } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { type Profile, readConfig } from '../config/config-file.js';
import { brands, seriesCommands } from '../generated/commands.js';
import type { Streams } from '../streams.js';

/** The script for bash calls this function of the bash-completion package, which not every system has. */
const withoutPackage = `declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
  cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
}
`;

/** Adds `vds completion <shell>` and what the script asks, `vds complete -- …`. Names of vehicles come from the configuration file; the network is never used. */
export async function addCompletion(program: Command, { env, stdout }: Streams): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' });
  const { aliases, profiles } = await readConfig(env).catch(() => ({ aliases: {}, profiles: {} }));
  const own = Object.values<Profile>(profiles).flatMap((profile) => profile.brands ?? []);
  const script = program.commands.find((command) => command.name() === 'completion');
  script?.hook('preAction', (command) => void (command.args[0] === 'bash' && stdout.write(withoutPackage)));
  const brand = completion.options.get('brand');
  if (brand !== undefined)
    brand.handler = (complete) => {
      for (const name of own.length > 0 ? new Set(own) : brands) complete(name, '');
    };
  const offer = (names: Iterable<string>, what: string) => (complete: Complete) => {
    for (const name of names) complete(name, what);
  };
  const known = Object.keys(aliases);
  const signals = Object.values(seriesCommands).flatMap((series) => Object.keys(series.signals));
  const values: Readonly<Record<string, ReturnType<typeof offer>>> = {
    vehicle: offer(known, 'alias'),
    zone: offer(Intl.supportedValuesOf('timeZone'), ''),
    signals: offer(new Set(signals), 'signal'),
  };
  for (const command of completion.commands.values()) {
    const vehicle = command.arguments.get('vehicle');
    if (vehicle !== undefined) vehicle.handler = offer(known, 'alias');
    for (const [name, handler] of Object.entries(values)) {
      const option = command.options.get(name);
      if (option !== undefined) option.handler = handler;
    }
  }
}
