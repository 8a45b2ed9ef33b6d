import { confirmTyped } from '../ask.js';
import { usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { stopAll, stopOne } from '../generated/commands.js';

/** Ends sharing for one vehicle, after its alias or VIN was typed again. */
export async function stopSharing(
  context: Context,
  options: { readonly confirm?: string },
  vehicle: string,
): Promise<void> {
  const vin = context.vin(vehicle);
  const alias = context.aliasOf(vin);
  const client = await context.client();
  const effect = 'Data sharing ends for this vehicle. Only its owner can start it again.';
  await confirmTyped(context.streams, { word: vehicle, given: options.confirm, effect });
  await stopOne(client, vin);
  context.output.record({ stopped: alias ?? 'vehicle' }, () => [
    'Sharing has ended for the vehicle. Delete what you hold of it: vds purge',
  ]);
}

/**
 * Ends sharing for every vehicle of a brand. The brand must be on the command line: neither a profile nor the environment
 * is enough.
 */
export async function stopSharingForAll(context: Context, options: { readonly confirm?: string }): Promise<void> {
  if (!context.isBrandTyped) throw usageError('name the brand on the command line: vds consent stop-all --brand …');
  const brand = context.requireBrand();
  const client = await context.client();
  const effect = `Data sharing ends for EVERY vehicle of ${brand}. Only their owners can start it again.`;
  await confirmTyped(context.streams, { word: brand, given: options.confirm, effect });
  await stopAll(client, brand);
  context.output.record({ stopped: brand }, () => [`Sharing has ended for every vehicle of ${brand}.`]);
}
