// How many connections of clients the descriptors of this process are enough for.

import { readFileSync } from 'node:fs';
import { attempt } from '../attempt.js';

/** Open connections of clients; further ones are closed at once, so that they cannot take all of the process's memory. */
export const mostConnections = 16_384;

/** Descriptors for the files of the process, its log, its store, and the ports of operators. */
const reserved = 64;

/** How many descriptors this process may have open; `null` when the system does not say. Node raises it to the most allowed at start. */
function descriptorLimit(): number | null {
  const limits = attempt(() => readFileSync('/proc/self/limits', 'utf8')) ?? '';
  const soft = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

/**
 * Open connections that clients may have: what is left of the descriptors after a reserve for probes, operators and files, and after one
 * connection to the upstream for each request in flight, which take at most half of the rest.
 *
 * @param limit descriptors of the process; default: what the system says
 */
export function maxConnectionsWith(maxInFlight: number, limit: number | null = descriptorLimit()): number {
  if (limit === null) return mostConnections;
  const rest = Math.max(2, limit - reserved);
  return Math.min(mostConnections, rest - Math.min(maxInFlight, Math.floor(rest / 2)));
}
