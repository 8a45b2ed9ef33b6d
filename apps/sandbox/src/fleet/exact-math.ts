/**
 * Elementary functions made of `+ - * /` and `Math.sqrt` alone. IEEE 754 fixes those to the last bit, while `Math.sin` and its
 * kin may differ between engines; a trip has to be the same on every machine.
 */

const halfPi = Math.PI / 2;

/** Sine of an angle in radians, to about 1e-10. */
export function sine(angle: number): number {
  const turns = Math.round(angle / Math.PI);
  const x = angle - turns * Math.PI;
  const x2 = x * x;
  const series =
    x *
    (1 +
      x2 *
        (-1 / 6 +
          x2 *
            (1 / 120 +
              x2 *
                (-1 / 5040 + x2 * (1 / 362880 + x2 * (-1 / 39916800 + x2 * (1 / 6227020800 - x2 / 1307674368000)))))));
  return turns % 2 === 0 ? series : -series;
}

/** Cosine of an angle in radians, to about 1e-10. */
export function cosine(angle: number): number {
  return sine(angle + halfPi);
}

/** Arc tangent in radians, to about 1e-9. */
export function arcTangent(x: number): number {
  if (x < 0) return -arcTangent(-x);
  if (x < 0.02) return x - (x * x * x) / 3;
  if (x > 1) return halfPi - arcTangent(1 / x);
  // Two halvings of the angle bring the argument below 0.2, where the series is short.
  const half = x / (1 + Math.sqrt(1 + x * x));
  const quarter = half / (1 + Math.sqrt(1 + half * half));
  const q2 = quarter * quarter;
  return 4 * quarter * (1 + q2 * (-1 / 3 + q2 * (1 / 5 + q2 * (-1 / 7 + q2 * (1 / 9 - q2 / 11)))));
}

/** Angle in radians of the direction (x, y), counted from the x axis towards the y axis, from -π to π. */
export function direction(x: number, y: number): number {
  if (x === 0) return y > 0 ? halfPi : y < 0 ? -halfPi : 0;
  const angle = arcTangent(y / x);
  if (x > 0) return angle;
  return y >= 0 ? angle + Math.PI : angle - Math.PI;
}

/** `base` to a whole power of 0 or more. */
export function wholePower(base: number, exponent: number): number {
  let result = 1;
  let factor = base;
  for (let rest = Math.floor(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= factor;
    factor *= factor;
  }
  return result;
}
