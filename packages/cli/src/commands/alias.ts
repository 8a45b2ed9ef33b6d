import { ask, readInput } from '../ask.js';
import { usageError } from '../cli-error.js';
import { writeConfig } from '../config/config-file.js';
import type { Context } from '../context.js';
import { vinPattern } from '../generated/commands.js';

/** `all` names every vehicle. */
const aliasPattern = /^(?!all$)[a-z][a-z0-9_-]{0,30}$/;

/** Names a vehicle, so that no VIN is in a shell's history: it is picked from the list, or read from standard input. */
export async function setAlias(context: Context, options: { readonly number?: string }, name: string): Promise<void> {
  const { streams, config, output } = context;
  if (!aliasPattern.test(name))
    throw usageError('an alias is 1 to 31 lower-case letters, digits, - or _, starts with a letter, and is not "all"');
  const vin = await pickVehicle(context, options.number);
  await writeConfig(streams.env, { ...config, aliases: { ...config.aliases, [name]: vin } });
  output.record({ alias: name }, () => [`${name} now names that vehicle.`]);
}

async function pickVehicle(context: Context, number: string | undefined): Promise<string> {
  const { streams } = context;
  if (number === undefined && streams.stdin.isTTY !== true) {
    const vin = await readInput(streams);
    if (!vinPattern.test(vin)) throw usageError('standard input holds no VIN of 17 letters and digits');
    return vin;
  }
  const vehicles = await context.vehicles();
  if (number === undefined) {
    const rows = vehicles.map(({ nickname, sellname }, index) => ({ '#': index + 1, nickname, model: sellname }));
    context.output.note(context.output.table(rows, ['#', 'nickname', 'model']));
  }
  const chosen = Number(number ?? (await ask(streams, 'Number of the vehicle: ')));
  const vin = Number.isInteger(chosen) ? vehicles[chosen - 1]?.vin : undefined;
  if (vin === undefined) throw usageError(`the number must be 1 to ${vehicles.length}, as in "vds vehicles list"`);
  return vin;
}

export async function removeAlias(context: Context, _: object, name: string): Promise<void> {
  const { [name]: vin, ...aliases } = context.aliases;
  if (vin === undefined) throw usageError('there is no such alias', 'See them with: vds alias list');
  await writeConfig(context.streams.env, { ...context.config, aliases });
  context.output.record({ alias: name }, () => [`${name} is removed.`]);
}

export function listAliases(context: Context): void {
  const rows = Object.keys(context.aliases).map((alias) => ({ alias }));
  context.output.list(rows, ['alias'], 'No aliases. Make one: vds alias set NAME');
}
