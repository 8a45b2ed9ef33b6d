// How far two colors are apart for readers who see all colors, and for those who see fewer.

type Matrix = readonly (readonly [number, number, number])[];

/** What becomes of linear red, green and blue, of Machado, Oliveira and Fernandes: https://doi.org/10.1109/TVCG.2009.113 */
export const sights: Readonly<Record<string, Matrix>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const times = (matrix: Matrix, [x = 0, y = 0, z = 0]: readonly number[]) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z);

/** Distance of two colors such as `#3a56d4` in Oklab, where 1 is that of black and white: https://bottosson.github.io/posts/oklab */
export function colorDistance(one: string, other: string, sight: Matrix): number {
  const [a, b] = [one, other].map((color) => oklab(times(sight, linear(color))));
  return Math.hypot(...(a ?? []).map((value, index) => value - (b?.[index] ?? 0)));
}

function linear(color: string): number[] {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
}

function oklab(color: readonly number[]): number[] {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color.map((part) => Math.min(1, Math.max(0, part))),
  ).map(Math.cbrt);
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}
