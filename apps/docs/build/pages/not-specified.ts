// The tables of "What is not specified", all of them made from the contract.
import { type Origin, type Place, type Source, sourcesOf } from '@vehicle-data/openapi/model';
import { table } from '../markdown.ts';

/** The entries of `x-not-specified`: what no single line of the contract holds. */
export function openTopics(contract: Place): { readonly general: string; readonly trips: string } {
  const topics = contract.child('x-not-specified').shaped('general trips');
  const rows = (group: string, members: readonly string[]) =>
    topics
      .child(group)
      .items()
      .map((entry) => members.map((member) => entry.shaped(members.join(' ')).child(member).string()));
  return {
    general: table(
      ['Topic', 'Specified', 'Seen on live services', 'This implementation'],
      rows('general', ['topic', 'specified', 'seen', 'here']),
    ),
    trips: table(['Not specified', 'This implementation assumes'], rows('trips', ['topic', 'here'])),
  };
}

/** The marks of one origin. Lines that are marked with the same words share a row. */
export function sourceTable(contract: Place, origin: Origin): string {
  const groups = new Map<string, { source: Source; lines: Set<string> }>();
  for (const source of sourcesOf(contract).filter((one) => one.origin === origin)) {
    const key = `${source.date ?? ''} ${source.says}`;
    const group = groups.get(key) ?? { source, lines: new Set() };
    group.lines.add(lineOf(contract, source));
    groups.set(key, group);
  }
  const rows = [...groups.values()].map(({ source: { says, date }, lines }) => {
    // The page says this once above the table.
    const reason = says.replace('; the API marks no member of a response as required', '');
    const words = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
    return [[...lines].join(', '), ...(date === undefined ? [] : [date]), words];
  });
  return table(['Line of the contract', ...(origin === 'observed' ? ['Recorded', 'Where'] : ['Why'])], rows);
}

/** How readers know a line: `Vehicle.vin` with its keyword, a header, an error code. */
function lineOf(contract: Place, { pointer, aspect }: Source): string {
  const [section = '', kind = '', name = '', ...steps] = pointer.split('/').slice(1);
  if (section === 'x-error-catalogue') {
    const code = contract.child(section).items()[Number(kind)]?.child('code').string();
    return `[\`${code}\`](../errors/${code}.md) (${aspect})`;
  }
  if (section === 'paths') return `date range (${aspect})`;
  if (kind === 'headers') return `header \`${headerName(contract, name)}\``;
  const members = steps.filter((step) => step !== 'properties' && step !== 'items');
  return `\`${[name, ...members].join('.')}\` (\`${aspect}\`)`;
}

/** The name that responses give a header component. */
function headerName(contract: Place, component: string): string {
  const responses = contract.child('components').child('responses').entries();
  const headers = responses.flatMap(([, response]) => response.optional('headers')?.entries() ?? []);
  const [name] = headers.find(([, header]) => header.refName('headers') === component) ?? [];
  return name ?? contract.fail(`no response has the header ${component}`);
}
