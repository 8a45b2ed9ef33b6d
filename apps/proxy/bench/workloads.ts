import { operations } from '@vehicle-data/openapi';
import { drivingResponse, locationResponse, vinOf } from './payloads.ts';

/** A request target, its number of connections and the kind of upstream. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
  readonly connections: number;
  readonly tls: boolean;
  /** Request target. */
  readonly target: string;
  /** The body that every contender must pass on, byte for byte. */
  readonly body: () => string;
}

/** Headers of every request of the load generator. */
export const requestHeaders: Readonly<Record<string, string>> = {
  Brand: operations.listVehicles.parameters[0].rule.enum[0],
  Authorization: 'Bearer user-token',
  Accept: 'application/json',
};

const megabyte = 1_000_000;

export function sizeName(bytes: number): string {
  if (bytes >= megabyte) return `${bytes / megabyte} MB`;
  return bytes >= 1000 ? `${bytes / 1000} kB` : `${bytes} B`;
}

/** A workload: up to 300 B it is the location call, above that a driving call of about that size. */
export function workload(bytes: number, connections: number, tls = false): Workload {
  const small = bytes <= 300;
  const target = small
    ? operations.getLocation.path.replace('{vin}', vinOf(bytes))
    : `${operations.getDrivingData.path.replace('{vin}', vinOf(bytes))}?startDate=20260101&endDate=20260107&zoneId=Asia%2FSeoul`;
  const title = `${sizeName(bytes)}, ${connections} connection${connections === 1 ? '' : 's'}${tls ? ', TLS upstream' : ''}`;
  const name = `${sizeName(bytes).replace(' ', '').toLowerCase()}-${connections}${tls ? '-tls' : ''}`;
  return {
    name,
    title,
    bytes,
    connections,
    tls,
    target,
    body: () => (small ? locationResponse() : drivingResponse(bytes)),
  };
}

/** Every size the origin can respond with, in bytes. */
export const payloadSizes: readonly number[] = [3000, 30_000, 300_000, megabyte, 8 * megabyte];

/** The workloads of a full run: three sizes, plain and TLS upstream, up to 256 connections. */
export const fullMatrix: readonly Workload[] = [false, true].flatMap((tls) =>
  [300, megabyte, 8 * megabyte].flatMap((bytes) =>
    // Long responses also at four connections, for which the goal was set.
    (bytes > 300 && !tls ? [1, 4, 32, 256] : [1, 32, 256]).map((connections) => workload(bytes, connections, tls)),
  ),
);

/** Bytes that a slow proxy of the tables passes on in a second, on a machine with other work. */
const slowBytesPerSecond = 250_000_000;
/** Connections that may be opened for each second of a round, so that the figures are not those of opening them. */
const connectionsPerSecond = 100;
const longestRoundSeconds = 6;

/**
 * The least time of a round, in whole seconds: all connections are opened at its start and served side by side, so that it has to
 * last until one response for each could have come, and well beyond the opening.
 */
export function leastSeconds({ bytes, connections }: Workload): number {
  const needed = Math.max((bytes * connections) / slowBytesPerSecond, connections / connectionsPerSecond);
  return Math.min(longestRoundSeconds, Math.max(1, Math.ceil(needed)));
}
