// Tools over an archive of `vds export`: one SELECT at a time, and what of a vehicle's data is missing.
import { setTimeout as wait } from 'node:timers/promises';
import { namesIn, pseudonymPattern } from '../commands/archive-names.js';
import { readDay } from '../days.js';
import { pageOf } from './pages.js';
import { redact } from './redact.js';
import { outputs } from './schemas.js';
import { type Agent, cursorProperty, register, vehicleProperty } from './tool.js';

const mostRows = 200;
const mostRowsInAll = 10_000;
const mostMonths = 12;
/** Of each kind of finding in a month. */
const mostFindings = 5;

/** Waits, briefly, until the names of all vehicles that share data are known. Without the list, those of aliases are. */
type NamesRead = (signal: AbortSignal) => Promise<unknown>;

export function registerArchiveTools(agent: Agent, folder: string): void {
  let listed: Promise<void> | undefined;
  // What the service sent with a trip may hold a VIN.
  const namesRead: NamesRead = (signal) => {
    listed ??= agent.names.readList().catch(() => {
      listed = undefined;
    });
    return Promise.race([listed, wait(2000, undefined, { ref: false, signal })]);
  };
  registerQuery(agent, folder, namesRead);
  registerQuality(agent, folder, namesRead);
}

/** SQL over the archive: one SELECT at a time, 200 rows a page, 30 seconds. */
function registerQuery(agent: Agent, folder: string, namesRead: NamesRead): void {
  const { names, exactPosition } = agent;
  const tool = {
    name: 'query_archive',
    title: 'Query the archive in SQL',
    description:
      'One SELECT (DuckDB) over the views trips, signals, windows, trip_quality, driving_trips, driving_samples, driving_summary, driving_days and those of the other series. The relation aliases (vehicle, alias) has the name of each vehicle. Days are those of the zone of the archive, and times in results are UTC. 200 rows a page, 10,000 in all: nextCursor asks for the next ones, and order is that of ORDER BY.',
    properties: { sql: { type: 'string', maxLength: 10_000 }, ...cursorProperty },
    output: outputs.query_archive,
    instead: 'select fewer columns, or aggregate the lists',
  };
  let previous: Promise<unknown> = Promise.resolve();
  register<{ readonly sql: string; readonly cursor?: string }>(agent, tool, ['cursor'], async (given, signal) => {
    const { sql, cursor } = given;
    const { first, nextCursor } = pageOf(new Array<undefined>(mostRowsInAll), mostRows, ['query', sql], cursor);
    // One after the other, so that their memory does not add up.
    const asked = Promise.all([previous, namesRead(signal)]).then(async () => {
      const { askArchive } = await import('../commands/query.js');
      const limits = { maxRows: mostRows, offset: first, timeoutMs: 30_000, names: names.all() };
      return askArchive(folder, sql, limits, signal);
    });
    previous = asked.catch(() => undefined);
    const { rows, truncated } = await asked;
    // A VIN that a query states is no vehicle that the agent may name.
    const known = { ...names, nameOf: names.hide };
    const next = truncated && nextCursor !== undefined ? { nextCursor } : {};
    return { record: { rows: redact(rows, known, exactPosition, true), truncated, ...next } };
  });
}

/** What is missing, late, changed or odd of one vehicle, by month. */
function registerQuality(agent: Agent, folder: string, namesRead: NamesRead): void {
  const { names, exactPosition, memory } = agent;
  const tool = {
    name: 'archive_quality',
    title: 'What is missing in the archive',
    description:
      'What of the data of one vehicle in the archive is missing, late, changed or odd, by month: trips of each day, kilometers driven and missing by the odometer, counts of findings, and the first five of each kind. 12 months a page, the newest first. No alarms: nothing of that month is odd.',
    properties: {
      vehicle: {
        ...vehicleProperty.vehicle,
        description: 'Name of a vehicle, from list_vehicles, or of the resource archive.',
      },
      since: { type: 'string', description: 'First month, by one of its days: 2026-03-01 or 90d. Default: all.' },
      ...cursorProperty,
    },
    output: outputs.archive_quality,
  };
  type Given = { readonly vehicle: string; readonly since?: string; readonly cursor?: string };
  register<Given>(agent, tool, ['since', 'cursor'], async (given, signal) => {
    const { openArchive } = await import('@vehicle-data/archive');
    await namesRead(signal);
    const { vehicle, since: day } = given;
    const name = pseudonymPattern.test(vehicle) ? { vehicle } : { vin: await names.vinOf(vehicle) };
    await using archive = await openArchive({ folder, readOnly: true });
    const since = day === undefined ? undefined : readDay(day, '--since', archive.settings.zoneId);
    const report = await memory.remember(['quality', JSON.stringify(name), since ?? ''], () =>
      archive.quality({ since, vehicles: [name] }),
    );
    const known = namesIn(archive, names.all());
    const all = report.vehicles.flatMap(({ brand, vehicle: pseudonym, months }) =>
      months.map((month) => ({
        vehicle: known.get(pseudonym) ?? pseudonym,
        brand,
        ...Object.fromEntries(Object.entries(month).map(([member, value]) => [member, firstOf(member, value)])),
        alarms: Object.fromEntries(
          report.alarms
            .filter((alarm) => alarm.vehicle === pseudonym && alarm.month === month.month)
            .map(({ kind, count }) => [kind, count]),
        ),
      })),
    );
    const { page, nextCursor } = pageOf(all.toReversed(), mostMonths, ['quality', vehicle, since], given.cursor);
    const months = redact(page, names, exactPosition, true);
    const next = nextCursor === undefined ? {} : { nextCursor };
    return { record: { zone: report.zoneId, months, total: all.length, ...next } };
  });
}

/** The first findings of a kind, and how many there are. Trips by day are no findings. */
function firstOf(member: string, value: unknown): unknown {
  if (!Array.isArray(value) || member === 'tripsByDay') return value;
  return { count: value.length, first: value.slice(0, mostFindings) };
}
