// Writes src/generated/commands.ts from the contract: one command for each operation that reads, and the series of trips.
import { contractVersion, type OperationSpec, operations, type ParameterSpec } from '@vehicle-data/openapi';
import { dataOf, openContract, type Place, writeGenerated } from '@vehicle-data/openapi/model';

const contract = await openContract();

/** The members of an object's schema; none of any other. */
const membersOf = (schema: Place) => schema.resolved('schemas').optional('properties')?.entries() ?? [];

/** `getCurrentStatus` → `current-status`, `listVehicles` → `vehicles list`. */
function wordsOf(operationId: string): { readonly words: readonly string[]; readonly alias: string | null } {
  const [verb = '', ...rest] = operationId.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  if (verb === 'list') return { words: [rest.join('-'), 'list'], alias: null };
  return { words: [rest.join('-')], alias: rest.length > 1 ? (rest.at(-1) ?? null) : null };
}

/** Every leaf of a schema with its unit; a unit that the record itself states is left out. */
function unitsOf(schema: Place, prefix = ''): Record<string, string> {
  const units: Record<string, string> = {};
  for (const [name, member] of membersOf(schema)) {
    const unit = member.resolved('schemas').optional('x-unit')?.value;
    const path = `${prefix}${name}`;
    if (typeof unit === 'string') units[path] = unit;
    Object.assign(units, unitsOf(member, `${path}.`));
  }
  return units;
}

/** A parameter of the SDK from text. What is not of its type is passed as it is: the SDK rejects it by its name. */
function argumentOf({ name, rule }: ParameterSpec): string {
  const text = `given['${name}']`;
  if (rule.type === 'integer') return `(/^-?\\d+$/.test(${text} ?? '') ? Number(${text}) : ${text}) as never`;
  if (rule.type === 'boolean') return `(${text} === 'true' || (${text} !== 'false' && ${text})) as never`;
  return rule.enum ? `${text} as never` : `${text} ?? ''`;
}

/** The call of the SDK, written out so that the compiler checks it. */
function callOf(operation: OperationSpec): string {
  const parameters = operation.parameters.filter((parameter) => parameter.in !== 'header');
  const members = parameters.map((parameter) => {
    const member = `${parameter.name}: ${argumentOf(parameter)}`;
    return parameter.required ? member : `...(given['${parameter.name}'] === undefined ? {} : { ${member} })`;
  });
  const first = parameters.length === 0 ? '' : `{ ${members.join(', ')} }, `;
  return `(client, ${parameters.length === 0 ? '_' : 'given'}, options) => client.${operation.operationId}(${first}options).withResponse()`;
}

function commandOf(operation: OperationSpec): string {
  const data = dataOf(contract, operation);
  const list = membersOf(data).find(([, member]) => member.resolved('schemas').optional('items') !== undefined);
  const columns = list ? membersOf(list[1].resolved('schemas').child('items')).map(([name]) => name) : [];
  const facts = {
    operationId: operation.operationId,
    ...wordsOf(operation.operationId),
    summary: operation.summary,
    parameters: operation.parameters
      .filter((parameter) => parameter.in !== 'header')
      .map(({ name, required, description }) => ({ name, required, description })),
    items: list?.[0] ?? null,
    columns,
    units: unitsOf(data),
    dataSchema: data.inlined(),
  };
  return `  { ...${JSON.stringify(facts)}, call: ${callOf(operation)} },`;
}

const all: readonly OperationSpec[] = Object.values(operations);
const readers = all.filter(({ method, series }) => method === 'GET' && series === null);
const series = all.flatMap((operation) => (operation.series === null ? [] : [{ operation, series: operation.series }]));
const wide = all.find(({ wideEffect }) => wideEffect !== null)?.wideEffect;
if (wide === null || wide === undefined) throw new Error('the contract has no operation with x-wide-effect');
const brandParameter = all.flatMap(({ parameters }) => parameters).find(({ name }) => name === 'Brand');
const brands = brandParameter?.rule.enum ?? [];
const vinRule = all.flatMap(({ parameters }) => parameters).find(({ schema }) => schema === 'Vin')?.rule;

const commands = () => `import type { VehicleDataClient } from '@vehicle-data/client';
import type { OperationCommand, SeriesCommand } from '../operation-command.js';

export const contractVersion = ${JSON.stringify(contractVersion)};
export const brands = ${JSON.stringify(brands)} as const;
export const vinPattern = new RegExp(${JSON.stringify(vinRule?.pattern)});

/** One command for each operation that reads and is no series. */
export const operationCommands: readonly OperationCommand[] = [
${readers.map(commandOf).join('\n')}
];

/** The series of trips by name. */
export const seriesCommands = {
${series
  .map(
    ({ operation, series: { name, items, startTime, duration, signals } }) =>
      `  ${name}: { name: '${name}', ...${JSON.stringify({ operationId: operation.operationId, startTime, duration, signals })},
    window: async (client, { vin, startDate, endDate, zoneId }, options) =>
      (await client.${operation.operationId}({ vin, startDate, endDate, zoneId }, options)).${items} },`,
  )
  .join('\n')}
} as const satisfies Record<string, SeriesCommand>;
export type SeriesName = keyof typeof seriesCommands;

/** Ends sharing for one vehicle. */
export const stopOne = (client: VehicleDataClient, vin: string) => client.${wide.narrow}({ ${wide.parameter}: vin });
/** Ends sharing for every vehicle of a brand; the SDK demands the brand again. */
export const stopAll = (client: VehicleDataClient<string>, brand: string) => client.${wide.wide}({ ${wide.confirm.toLowerCase()}: brand });
`;
await writeGenerated(new URL('../src/generated/', import.meta.url), () => ({ 'commands.ts': commands() }));
