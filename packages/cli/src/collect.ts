import { CliError } from './cli-error.js';

const mostTrips = 20_000;

/** The trips of an iteration as a list, up to 20,000: what is shown at once must fit in memory. */
export async function collect<Trip>(trips: AsyncIterable<Trip>): Promise<readonly Trip[]> {
  const list: Trip[] = [];
  for await (const trip of trips) {
    list.push(trip);
    if (list.length > mostTrips)
      throw new CliError('too-many-trips', `the range has more than ${mostTrips} trips; choose fewer days`);
  }
  return list;
}
