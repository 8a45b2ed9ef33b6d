import { usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { printable } from '../output/printable.js';

/** Two decimals of a degree: about a kilometer. */
const positionFactor = 100;
const positions = new Set(['latitude', 'longitude']);
const mostItems = 50;

/**
 * A record as an agent may see it: names instead of VINs, texts without control characters, positions rounded to about a
 * kilometer unless they were asked for exactly, and lists of at most 50 items.
 */
export function redact(value: unknown, names: VehicleNames, exactPosition: boolean): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => redact(item, names, exactPosition));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'vin') return ['vehicle', typeof member === 'string' ? names.nameOf(member) : null];
      if (positions.has(name) && typeof member === 'number' && !exactPosition)
        return [name, Math.round(member * positionFactor) / positionFactor];
      return [printable(name), redact(member, names, exactPosition)];
    }),
  );
}

export type VehicleNames = ReturnType<typeof vehicleNames>;

/**
 * The names under which an agent knows vehicles. Aliases of the configuration come first; other vehicles are `vehicle-1`,
 * `vehicle-2`, … in the order in which they appeared. An agent never sees a VIN.
 */
export function vehicleNames(context: Context) {
  const vins = new Map(Object.entries(context.config.aliases));

  function nameOf(vin: string): string {
    for (const [name, known] of vins) if (known === vin) return name;
    let number = 1;
    while (vins.has(`vehicle-${number}`)) number += 1;
    vins.set(`vehicle-${number}`, vin);
    return `vehicle-${number}`;
  }

  /** The VIN of a name, after a look at the list of vehicles when the name is new. */
  async function vinOf(name: string): Promise<string> {
    if (!vins.has(name)) for (const { vin } of await context.vehicles()) nameOf(vin);
    const vin = vins.get(name);
    if (vin === undefined) throw usageError('there is no vehicle of that name; call list_vehicles');
    return vin;
  }

  return { nameOf, vinOf };
}
