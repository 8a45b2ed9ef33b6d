import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { readConfig } from '../config/config-file.js';
import { brands } from '../generated/commands.js';

/** Adds `vds completion <shell>` and what the script asks, `vds complete -- …`. Names of vehicles come from the configuration file; the network is never used. */
export async function addCompletion(program: Command): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' });
  const { aliases } = await readConfig(process.env).catch(() => ({ aliases: {} }));
  const brand = completion.options.get('brand');
  if (brand !== undefined)
    brand.handler = (complete) => {
      for (const name of brands) complete(name, '');
    };
  for (const command of completion.commands.values()) {
    const vehicle = command.arguments.get('vehicle');
    if (vehicle === undefined) continue;
    vehicle.handler = (complete) => {
      for (const name of Object.keys(aliases)) complete(name, 'alias');
    };
  }
}
