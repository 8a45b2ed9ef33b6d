// What an agent can read besides calling tools, and two questions that people ask.
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { namesIn } from '../commands/archive-names.js';
import type { Context } from '../context.js';
import { operationCommands, seriesCommands } from '../generated/commands.js';
import type { VehicleNames } from './redact.js';

const json = 'application/json';
const contentOf = (uri: URL, value: unknown) => ({
  contents: [{ uri: uri.href, mimeType: json, text: JSON.stringify(value) }],
});

/** Windows of an archive are many; an agent sees so many vehicles and series. */
const mostRows = 200;

export function registerResources(server: McpServer, names: VehicleNames, archive: string | undefined): void {
  server.registerResource(
    'signals',
    'vehicle-data://signals',
    { title: 'Signals', description: 'Every signal of each series: unit, range, or values.', mimeType: json },
    (uri) =>
      contentOf(uri, Object.fromEntries(Object.values(seriesCommands).map(({ name, signals }) => [name, signals]))),
  );
  server.registerResource(
    'units',
    'vehicle-data://units',
    { title: 'Units', description: 'Unit of each measured member of the records, by its dotted path.', mimeType: json },
    (uri) =>
      contentOf(uri, Object.fromEntries(operationCommands.map(({ operationId, units }) => [operationId, units]))),
  );
  if (archive === undefined) return;
  server.registerResource(
    'archive',
    'vehicle-data://archive',
    {
      title: 'Archive',
      description:
        'What the archive holds: vehicle, name, series, days, trips. The vehicle is its name in query_archive.',
      mimeType: json,
    },
    async (uri) => contentOf(uri, await heldBy(archive, names)),
  );
}

async function heldBy(folder: string, names: VehicleNames) {
  const { openArchive } = await import('@vehicle-data/archive');
  await using archive = await openArchive({ folder, readOnly: true });
  const held = await archive.vehicles();
  const known = namesIn(archive, names.all());
  const rows = held.map(({ vehicle, series, from, to, trips }) => ({
    vehicle,
    name: known.get(vehicle) ?? null,
    series,
    from,
    to,
    trips,
  }));
  return { rows: rows.slice(0, mostRows), total: rows.length, zone: archive.settings.zoneId };
}

/** The questions of a person, as a client offers them. */
export function registerPrompts(server: McpServer, context: Context, hasArchive: boolean): void {
  const argsSchema = fromJsonSchema<{ readonly vehicle: string }>({
    type: 'object',
    properties: { vehicle: { type: 'string', maxLength: 40, description: 'Name of a vehicle, from list_vehicles.' } },
    required: ['vehicle'],
    additionalProperties: false,
  });
  const prompt = (name: string, title: string, description: string, textOf: (vehicle: string) => string) =>
    server.registerPrompt(name, { title, description, argsSchema }, ({ vehicle }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: textOf(JSON.stringify(vehicle)) } }],
    }));
  const zone = context.zone(undefined);
  prompt(
    'how_was_my_week',
    'How was my week?',
    'The last seven days of a vehicle in a few sentences.',
    (vehicle) =>
      `Call week_summary for the vehicle ${vehicle}, days in ${zone}. Say in a few sentences how many trips there were, how far and how long, ` +
      'where the vehicle stood, and which moments are rare. Say which numbers were sent and which are derived. Give no score and judge no person.',
  );
  prompt(
    'what_is_missing',
    'What is missing?',
    'Which data of the last 30 days are missing or cannot be trusted.',
    (vehicle) =>
      `Call list_trips for the vehicle ${vehicle} from 30d to today, once for each series, with every page. Say which days have no trip, which trips ` +
      'only one series has, which have moments of the kind no-data or contradiction, and which facts are unknown. A day without a trip may be one without driving.' +
      (hasArchive
        ? ' Then call archive_quality since 30d: it says which kilometers are missing, and which trips were late or changed.'
        : ''),
  );
}
