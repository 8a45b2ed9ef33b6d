// What a vehicle last reported, in the names, units and types of the COVESA Vehicle Signal Specification, as the contract assigns them.
import { type VssRecords, vssCatalogue, vssMeasuredAt, vssRecordTable } from '../generated/vss.js';
import { ownMember } from './signals.js';
import { toVssValue, type VssName, type VssValue } from './vss.js';

/** An operation that returns what a vehicle last reported, for example `getLocation`. */
export type VssReportName = keyof VssRecords;

type Table = typeof vssRecordTable;
type Names<Name extends VssReportName> = Table[Name][keyof Table[Name]];

/** One value in VSS. */
export interface VssReading {
  readonly datatype: VssName['datatype'];
  readonly unit: string | null;
  /** `null` where VSS has no such value, or the record holds none that the contract allows. */
  readonly value: VssValue | null;
}

/** What a vehicle last reported, in VSS. */
export interface VssReport<Name extends VssReportName> {
  /** Version of the VSS catalogue. */
  readonly catalogue: typeof vssCatalogue;
  /** When the vehicle sent it, in milliseconds since 1 January 1970 UTC, `null` where that cannot be read. */
  readonly measuredAt: number | null;
  /** The members that the record has, by their names in VSS. */
  readonly readings: {
    readonly [Path in Names<Name> extends { readonly path: infer All extends string } ? All : never]?: VssReading;
  };
}

/** Where a single value goes, as the generated table states it. */
interface RecordName extends Omit<VssName, 'factor'> {
  readonly factor: number | Readonly<Record<string, number>> | null;
  readonly unitFrom: string | null;
  readonly range: readonly number[] | null;
  readonly only: Readonly<Record<string, string | number>> | null;
}

/**
 * The latest location or the current status in the names, units and types of VSS. A value that the contract does not allow, or that
 * VSS does not have, is `null`: a position that is not of WGS 84, a speed without a unit.
 *
 * @throws SeriesError `unknown-series` where the operation returns no such record.
 * @example
 * recordToVss('getLocation', await client.getLocation({ vin })).readings['Vehicle.Speed'];
 */
export function recordToVss<Name extends VssReportName>(operation: Name, record: VssRecords[Name]): VssReport<Name> {
  const names: Readonly<Record<string, RecordName>> = ownMember('series', vssRecordTable, operation);
  const readings: Record<string, VssReading> = {};
  for (const [member, name] of Object.entries(names)) {
    const sent = memberAt(record, member);
    if (sent === undefined) continue;
    const { path, datatype, unit } = name;
    readings[path] = { datatype, unit, value: readingOf(name, sent, record) };
  }
  const time = Date.parse(String(memberAt(record, vssMeasuredAt[operation])));
  return {
    catalogue: vssCatalogue,
    measuredAt: Number.isNaN(time) ? null : time,
    // Each reading was made by the name of its own member.
    readings: readings as VssReport<Name>['readings'],
  };
}

/** A member of a record by its dotted path; `undefined` where it is absent. */
function memberAt(record: unknown, path: string): unknown {
  let at = record;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Object.entries(at).find(([key]) => key === name)?.[1];
  }
  return at;
}

function readingOf(name: RecordName, sent: unknown, record: unknown): VssValue | null {
  const { datatype, factor, unitFrom, range, only, values } = name;
  if (Object.entries(only ?? {}).some(([path, needed]) => memberAt(record, path) !== needed)) return null;
  if (typeof sent === 'string' && values) return toVssValue({ ...name, factor: null }, sent);
  if (factor === null)
    return typeof sent === (datatype === 'boolean' ? 'boolean' : 'string') ? (sent as VssValue) : null;
  const [least = -Infinity, most = Infinity] = range ?? [];
  if (typeof sent !== 'number' || !(sent >= least && sent <= most)) return null;
  const units = typeof factor === 'number' ? {} : factor;
  const unit = unitFrom === null ? undefined : memberAt(record, unitFrom);
  const by =
    typeof factor === 'number' ? factor : typeof unit === 'string' && Object.hasOwn(units, unit) ? units[unit] : null;
  return by === null || by === undefined ? null : toVssValue({ ...name, factor: by }, sent);
}
