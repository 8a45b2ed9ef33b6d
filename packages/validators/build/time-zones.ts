/** Writes identifiers as `Region:City,City;…`, regions and cities sorted, so that the list stays small. */
export function packTimeZones(identifiers: readonly string[]): string {
  const byRegion = new Map<string, string[]>();
  for (const identifier of identifiers.toSorted()) {
    if (/[:;,]/.test(identifier)) throw new Error(`the time zone ${identifier} cannot be written into the list`);
    const slash = identifier.indexOf('/');
    const region = identifier.slice(0, Math.max(0, slash));
    const cities = byRegion.get(region) ?? [];
    cities.push(identifier.slice(slash + 1));
    byRegion.set(region, cities);
  }
  return [...byRegion].map(([region, cities]) => `${region}:${cities.join(',')}`).join(';');
}
