/** A point on the map. */
export interface Home {
  /** Degrees, -90 to 90. */
  readonly latitude: number;
  /** Degrees, -180 to 180. */
  readonly longitude: number;
  /** Meters above the sea; 40 by default. */
  readonly altitude?: number | undefined;
}

/** Where a vehicle is at home. */
export interface Town {
  /** IANA time zone. */
  readonly zone: string;
  readonly town: Home & { readonly altitude: number };
  readonly speedUnit: 'kph' | 'mph';
}

const towns = {
  berlin: ['Europe/Berlin', 52.5163, 13.3777, 36, 'kph'],
  london: ['Europe/London', 51.5072, -0.1276, 20, 'mph'],
  newYork: ['America/New_York', 41.05, -73.85, 45, 'mph'],
  losAngeles: ['America/Los_Angeles', 34.08, -118, 90, 'mph'],
  seoul: ['Asia/Seoul', 37.35, 127.1, 60, 'kph'],
  bengaluru: ['Asia/Kolkata', 12.98, 77.55, 910, 'kph'],
  sydney: ['Australia/Sydney', -33.75, 150.9, 30, 'kph'],
} as const;

export type TownName = keyof typeof towns;

export const townNames = Object.keys(towns) as readonly TownName[];

export function townOf(name: TownName): Town {
  const [zone, latitude, longitude, altitude, speedUnit] = towns[name];
  return { zone, town: { latitude, longitude, altitude }, speedUnit };
}

/** The town of a zone, if the sandbox knows one. */
export function townInZone(zone: string): Town | undefined {
  return townNames.map(townOf).find((town) => town.zone === zone);
}

/** Temperature outside in °C, from the latitude and the time of the year. */
export function temperature({ latitude }: Home, dayOfYear: number): number {
  const mean = 28 - 0.36 * Math.abs(latitude);
  const swing = 0.21 * latitude;
  return mean + swing * Math.cos((2 * Math.PI * (dayOfYear - 203)) / 365);
}
