import { randomBytes } from 'node:crypto';
import { usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { vinPattern } from '../generated/commands.js';
import { printable } from '../output/printable.js';

/** Two decimals of a degree: about a kilometer. */
const positionFactor = 100;
/** Items of a list at a time. */
export const mostItems = 50;
const positions = new Set(['latitude', 'longitude']);

/**
 * A record as an agent may see it: names instead of VINs, texts without control characters, positions rounded to about a
 * kilometer unless they were asked for exactly. Lists have at most `mostItems` items and texts 120 characters, unless all is wanted.
 */
export function redact(value: unknown, names: VehicleNames, exactPosition: boolean, isWhole = false): unknown {
  const redacted = (member: unknown) => redact(member, names, exactPosition, isWhole);
  const shown = (text: string) => printable(text, isWhole ? Number.POSITIVE_INFINITY : undefined);
  if (typeof value === 'string') return shown(names.hide(value));
  // Also vehicles that are left out get names: others may mention their VINs.
  if (Array.isArray(value)) return value.map(redacted).slice(0, isWhole ? undefined : mostItems);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'vin') return ['vehicle', typeof member === 'string' ? names.nameOf(member) : null];
      if (positions.has(name) && !exactPosition)
        return [name, Math.round(Number.parseFloat(`${member}`) * positionFactor) / positionFactor];
      return [shown(name), redacted(member)];
    }),
  );
}

export type VehicleNames = ReturnType<typeof vehicleNames>;

/**
 * The names under which an agent knows vehicles. Aliases of the configuration come first; the name of another vehicle, such as
 * `vehicle-3f2a91c4`, is random, so that after a restart it is never that of another one. An agent never sees a VIN.
 */
export function vehicleNames(context: Context) {
  const vins = new Map(Object.entries(context.aliases));

  function nameOf(vin: string): string {
    for (const [name, known] of vins) if (known === vin) return name;
    let name: string;
    do name = `vehicle-${randomBytes(4).toString('hex')}`;
    while (vins.has(name));
    vins.set(name, vin);
    return name;
  }

  async function readList(): Promise<void> {
    for (const { vin } of await context.vehicles()) nameOf(vin);
  }

  /** A text with the names of vehicles in place of their VINs, wherever these stand. */
  function hide(text: string): string {
    const known = [...vins].filter(([, vin]) => vinPattern.test(vin));
    return known.reduce((hidden, [name, vin]) => hidden.replaceAll(new RegExp(vin, 'gi'), () => name), text);
  }

  /** The VIN of a name, after a look at the list of vehicles when the name is new. */
  async function vinOf(name: string): Promise<string> {
    if (!vins.has(name)) await readList();
    const vin = vins.get(name);
    if (vin === undefined) throw usageError('there is no vehicle of that name; call list_vehicles');
    return vin;
  }

  /** Names and VINs that are known so far. */
  const all = (): readonly (readonly [name: string, vin: string])[] => [...vins];
  return { nameOf, vinOf, readList, hide, all };
}
