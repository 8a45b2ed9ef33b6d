// Who has read the data of one vehicle, from the entries of the audit log.
import type { AuditEntry, GapEntry, OutcomeEntry, ReadEntry } from './entries.js';
import { hashOfVin } from './read-log.js';

/** What one client has done with one operation. */
export interface AccountingRow {
  readonly client: string;
  readonly operation: string;
  readonly brand: string;
  count: number;
  /** Responses with data: those with status 200. */
  good: number;
  bytes: number;
  first: string;
  last: string;
  /** First and last day that was asked for, or empty for an operation without days. */
  from: string;
  to: string;
}

/** The accounting of one vehicle. */
export interface VehicleAccounting {
  /** The hash of the VIN under the key of today. */
  readonly vehicle: string;
  /** Time of the first and of the last entry that was read of the log, whichever vehicle it is about. */
  readonly since: string;
  readonly until: string;
  /** What names the vehicle, the last one first. */
  readonly rows: readonly AccountingRow[];
  /** What names no vehicle, such as a list of all, and may have shown this one. */
  readonly unnamed: readonly AccountingRow[];
  /** Gaps in the log: entries that are lost, of any vehicle. */
  readonly gaps: readonly Pick<GapEntry, 'time' | 'lost'>[];
}

/** Reads lines of the log, and keeps what is about one vehicle. */
export class Accounting {
  readonly #hashes: readonly string[];
  readonly #rows = new Map<string, AccountingRow>();
  readonly #unnamed = new Map<string, AccountingRow>();
  readonly #gaps: GapEntry[] = [];
  #since = '';
  #until = '';

  /** @param keys of the log, oldest first */
  constructor(keys: readonly string[], vin: string) {
    this.#hashes = keys.map((key) => hashOfVin(key, vin));
  }

  /** @param line every character is one byte */
  read(line: string): void {
    const time = /"time":"([^"]+)"/.exec(line)?.[1] ?? '';
    if (this.#since === '') this.#since = time;
    this.#until = time;
    const isAbout = this.#hashes.some((hash) => line.includes(hash));
    if (!isAbout && !/"vehicle":null|"kind":"gap"/.test(line)) return;
    const entry: AuditEntry = JSON.parse(Buffer.from(line, 'latin1').toString());
    if (entry.kind === 'gap') this.#gaps.push(entry);
    if (entry.kind === 'reads') for (const read of entry.reads) this.#add(read);
    if (entry.kind === 'outcome') this.#add(readOf(entry));
  }

  result(): VehicleAccounting {
    const latest = (rows: Iterable<AccountingRow>) =>
      [...rows].sort((one, other) => (one.last < other.last ? 1 : one.last > other.last ? -1 : 0));
    return {
      vehicle: this.#hashes.at(-1) ?? '',
      since: this.#since,
      until: this.#until,
      rows: latest(this.#rows.values()),
      unnamed: latest(this.#unnamed.values()),
      gaps: this.#gaps.filter(({ lost }) => lost > 0),
    };
  }

  #add({ client, brand, vehicle, operation, from, to, status, bytes, time }: ReadEntry): void {
    if (vehicle !== null && !this.#hashes.includes(vehicle)) return;
    const rows = vehicle === null ? this.#unnamed : this.#rows;
    const key = JSON.stringify([client, operation, brand]);
    const row = rows.get(key) ?? {
      client,
      operation,
      brand,
      count: 0,
      good: 0,
      bytes: 0,
      first: time,
      last: time,
      from,
      to,
    };
    rows.set(key, row);
    row.count++;
    if (status === 200) row.good++;
    row.bytes += bytes;
    // Several processes write, each about once a second.
    if (time < row.first) row.first = time;
    if (time > row.last) row.last = time;
    if (from < row.from) row.from = from;
    if (to > row.to) row.to = to;
  }
}

/** A withdrawal as a row of the accounting. */
function readOf({ time, client, brand, vehicle, status, code }: OutcomeEntry): ReadEntry {
  return { time, client, brand, vehicle, operation: withdrawalName, from: '', to: '', status, code, bytes: 0 };
}

/** What a withdrawal is called among the operations. */
const withdrawalName = 'withdrawal of consent';
