import type { NumberRule } from '../value-rules.js';
import type { NumberShape } from './number-shape.js';

/** The range of a list of numbers, both ends included. */
export interface NumberRange {
  readonly integer: boolean;
  readonly minimum: number;
  readonly maximum: number;
  /** Made when the first number of a shape is met. */
  readonly shapes: NumberShape[];
}

export function numberRange({ integer = false, ...rule }: NumberRule): NumberRange {
  return {
    integer,
    shapes: [],
    minimum: Math.max(rule.minimum ?? -Infinity, above(rule.exclusiveMinimum ?? -Infinity)),
    maximum: Math.min(rule.maximum ?? Infinity, -above(-(rule.exclusiveMaximum ?? Infinity))),
  };
}

/** The next double above a number. */
function above(value: number): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}
