import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { type Profile, readConfig } from '../config/config-file.js';
import { brands } from '../generated/commands.js';
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
  for (const command of completion.commands.values()) {
    const vehicle = command.arguments.get('vehicle');
    if (vehicle === undefined) continue;
    vehicle.handler = (complete) => {
      for (const name of Object.keys(aliases)) complete(name, 'alias');
    };
  }
}
