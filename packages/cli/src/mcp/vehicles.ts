import type { Context } from '../context.js';

/**
 * The names under which an agent knows vehicles. Aliases of the configuration come first; other vehicles are `vehicle-1`,
 * `vehicle-2`, … in the order in which they appeared. An agent never sees a VIN.
 */
export class VehicleNames {
  readonly #context: Context;
  readonly #vins = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
    for (const [alias, vin] of Object.entries(context.config.aliases)) this.#vins.set(alias, vin);
  }

  nameOf(vin: string): string {
    for (const [name, known] of this.#vins) if (known === vin) return name;
    const taken = [...this.#vins.keys()].filter((name) => /^vehicle-\d+$/.test(name)).length;
    const name = `vehicle-${taken + 1}`;
    this.#vins.set(name, vin);
    return name;
  }

  /** The VIN of a name, after a look at the list of vehicles when the name is new. */
  async vinOf(name: string): Promise<string | undefined> {
    if (!this.#vins.has(name)) await this.refresh();
    return this.#vins.get(name);
  }

  async refresh(): Promise<void> {
    const { vehicles } = await (await this.#context.client()).listVehicles({ signal: this.#context.signal });
    for (const { vin } of vehicles) this.nameOf(vin);
  }
}
