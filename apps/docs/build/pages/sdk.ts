// The reference of the SDK by task: what makes a client comes first, then calls, trips, errors, and what else a program passes or gets.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { contract } from '../contract.ts';
import type { Page } from '../markdown.ts';

const file = fileURLToPath(new URL('dist/reference.md', import.meta.resolve('@vehicle-data/client/package.json')));

/** The pages of the main entry point in the order of a first program, each with the entries that begin it. The last one has what is left. */
const tasks: readonly { name: string; task: string; first: readonly string[]; others: RegExp }[] = [
  {
    name: 'client',
    task: 'make a client',
    first: ['createVehicleDataClient', 'VehicleDataClientOptions', 'VehicleDataClient', 'ClientOverrides'],
    others: /^(?:TokenSource|TokenRequest|CatalogueResolution|Clock|HeaderSource|HeaderValues|Transport\w*)$/,
  },
  {
    name: 'calls',
    task: 'call the API',
    first: ['OperationMethods', 'CallOptions', 'ApiCall', 'ApiResponse', 'AgedResponse', 'ResponseMeta'],
    others:
      /^(?:Get\w+|StopSharing)Parameters$|^(?:Raw|Consent(?!Error))\w+$|^Window\w+$|^OperationId$|^Response(?:Issue|Valid)\w*$/,
  },
  {
    name: 'trips',
    task: 'read trips',
    first: ['TripMethods', 'TripIterators', 'TripIterator', 'TripIteratorOptions', 'SyncTrips'],
    others: /^Sync\w+$|^Trip(?:Progress|Range)$|TripRange$|^InvalidTrip$|^VehicleFailure$/,
  },
  {
    name: 'errors',
    task: 'handle errors',
    first: ['VehicleDataError', 'isVehicleDataError'],
    others: /Error$|^(?:Client)?ErrorCode$|^ErrorFacts$|^Resolution$|^RateLimitScope$/,
  },
  {
    name: 'observe',
    task: 'observe calls',
    first: ['Hooks', 'CallEvent', 'Logger', 'pinoLogger'],
    others: /^(?:Attempt|LogLevel|FieldsFirstLogger|\w+Facts)$/,
  },
  { name: 'types', task: 'further types', first: [], others: /./ },
];

const schemas = new Set(
  contract
    .child('components')
    .child('schemas')
    .entries()
    .map(([name]) => name),
);
/** What the API sends and receives, under the names of the contract. */
const schemaTask = { name: 'schemas', task: 'schemas of the contract', first: [], others: /./ };

/** The reference that the client's build makes of its declarations: pages by task, and one for each further entry point. */
export async function sdkPages(): Promise<readonly Page[]> {
  const [, ...sections] = (await readFile(file, 'utf8')).split(/^## /m);
  return sections.flatMap((section) => {
    const [specifier = '', ...entries] = section.split(/^### /m).map((text) => text.trim());
    const [, , entryPoint] = specifier.split('/');
    // Functions before types: a program calls them.
    const ofEntryPoint = () => entries.toSorted((one, other) => Number(isType(one)) - Number(isType(other)));
    return entryPoint === undefined
      ? mainPages(entries)
      : [
          sdkPage(
            entryPoint,
            entryPoint,
            withoutFactories(ofEntryPoint()),
            linkedNames(entries, () => entryPoint),
            specifier,
          ),
        ];
  });
}

const nameOf = (entry: string) => /^\S+/.exec(entry)?.[0] ?? '';
const isType = (entry: string) => /^export (?:declare )?(?:type|interface) /m.test(entry);

/**
 * The methods of operations without what stands on the page of each operation: its description, parameters and errors. What is said in
 * bold stays.
 */
function methodsInShort(entry: string): string {
  if (nameOf(entry) !== 'OperationMethods') return entry;
  const [intro = '', ...methods] = entry.split(/^(?=#### )/m);
  const short = methods.map((method) => {
    const [heading, summary, description = '', ...rest] = method.trim().split('\n\n');
    const [, id = ''] = /operation `(\w+)`/.exec(method) ?? [];
    const [, parameter = ''] = /^(- `confirmation\..+)$/m.exec(method) ?? [];
    return [
      heading,
      `${summary} Operation [\`${id}\`](../operations/${id}.md).`,
      /\*\*.+?\*\*/.exec(description)?.[0] ?? '',
      parameter,
      ...rest.slice(rest.findIndex((part) => part.startsWith('```'))),
    ]
      .filter(Boolean)
      .join('\n\n');
  });
  const common =
    'The page of its operation has the parameters, fields and error codes of each. All of them throw `ArgumentError` before any request, ' +
    'when an argument breaks a rule of the contract; the [class of each error code](../guides/sdk-errors.md); and `ConnectionError`, ' +
    '`TimeoutError`, `AbortedError` or `MalformedResponseError` when no response of the service arrives.';
  return [intro.trim(), common, ...short].join('\n\n');
}

/** What makes one thing of each schema, in one section: it is the same for all. */
function withoutFactories(entries: readonly string[]): readonly string[] {
  const isFactory = (entry: string) => / made of the contract's examples, with members of your own\.$/m.test(entry);
  const factories = entries.filter(isFactory);
  const [first] = factories;
  if (first === undefined) return entries;
  const names = factories.map((entry) => `\`${nameOf(entry)}\``);
  const [, code = ''] = /^(```[\s\S]*?^```)$/m.exec(first) ?? [];
  const text = `Factories\n\nEach makes one object of a schema from the contract's examples, with members of your own: ${names.join(', ')}.\n\n${code}`;
  return [...entries.filter((entry) => !isFactory(entry) && !isType(entry)), text, ...entries.filter(isType)];
}

function mainPages(all: readonly string[]): readonly Page[] {
  // `paths` and the like are the contract once more, in a form for openapi-fetch.
  const entries = all.filter((entry) => !/^(?:components|operations|paths)\n/.test(entry)).map(methodsInShort);
  const pageOf = (name: string) =>
    tasks.find(({ first }) => first.includes(name)) ??
    (schemas.has(name) ? schemaTask : tasks.find(({ others }) => others.test(name)));
  const links = linkedNames(entries, (name) => pageOf(name)?.name ?? 'types');
  return [...tasks, schemaTask].map((task) => {
    const own = entries.filter((entry) => pageOf(nameOf(entry)) === task);
    const first = task.first.flatMap((name) => own.filter((entry) => nameOf(entry) === name));
    return sdkPage(task.name, task.task, [...first, ...own.filter((entry) => !first.includes(entry))], links);
  });
}

/** The page and section of each type, by its name. */
const linkedNames = (entries: readonly string[], pageOf: (name: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries
      .map(nameOf)
      .filter((name) => /^[A-Z]/.test(name))
      .map((name) => [name, `sdk/${pageOf(name)}/#${name.toLowerCase()}`]),
  );

function sdkPage(
  name: string,
  title: string,
  entries: readonly string[],
  links: Readonly<Record<string, string>>,
  specifier = '@vehicle-data/client',
): Page {
  // Colors would double the weight of the longest pages.
  const language = ['types', 'schemas', 'series'].includes(name) ? 'text' : 'ts';
  const text = entries.map(
    (entry) => `## ${entry.replaceAll(/^####/gm, '###').replaceAll('ts declaration', language)}`,
  );
  return {
    path: `sdk/${name}`,
    title: `SDK: ${title}`,
    description: `Reference of the SDK: ${title}.`,
    keywords: ['api reference', 'methods', 'types', specifier],
    codeLinks: links,
    text: [`Import from \`${specifier}\`. The [SDK guide](../guides/sdk.md) shows how to use these.`, ...text].join(
      '\n\n',
    ),
  };
}
