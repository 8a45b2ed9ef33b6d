import { printable } from '../output/printable.js';
import type { VehicleNames } from './vehicles.js';

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
