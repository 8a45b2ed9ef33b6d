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

/**
 * The names under which an agent knows vehicles. Aliases of the configuration come first; other vehicles are `vehicle-1`,
 * `vehicle-2`, … in the order in which they appeared. An agent never sees a VIN.
 */
export class VehicleNames {
  readonly #context: Context;
  readonly #vins: Map<string, string>;

  constructor(context: Context) {
    this.#context = context;
    this.#vins = new Map(Object.entries(context.config.aliases));
  }

  nameOf(vin: string): string {
    for (const [name, known] of this.#vins) if (known === vin) return name;
    const taken = [...this.#vins.keys()].filter((name) => /^vehicle-\d+$/.test(name)).length;
    const name = `vehicle-${taken + 1}`;
    this.#vins.set(name, vin);
    return name;
  }

  /** The VIN of a name, after a look at the list of vehicles when the name is new. */
  async vinOf(name: string): Promise<string> {
    if (!this.#vins.has(name)) {
      const { vehicles } = await (await this.#context.client()).listVehicles({ signal: this.#context.signal });
      for (const { vin } of vehicles) this.nameOf(vin);
    }
    const vin = this.#vins.get(name);
    if (vin === undefined) throw usageError('there is no vehicle of that name; call list_vehicles');
    return vin;
  }
}
