import { type CatalogueEntry, errorTemplate } from './error-catalogue.ts';
import type { JsonObject, Place } from './place.ts';

/** Headers of the service's own quota. */
const ofService = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** Headers that can come with every response, whatever its code. */
const onEveryResponse = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...ofService];

/**
 * Replaces the response `default` of every operation, a template, by one response for each status with exactly the codes that
 * the operation can return. So a code, its message and its status are written once, in errors.yaml.
 */
export function addErrorResponses(root: Place, catalogue: readonly CatalogueEntry[]): JsonObject {
  const components = root.child('components');
  const groups = groupErrors(catalogue);
  const items = root.child('paths').entries();
  const paths = items.map(([path, item]) => {
    const methods = item.entries().map(([method, operation]) => {
      const place = operation.child('responses');
      const reference = place.child('default');
      if (reference.refName('responses') !== errorTemplate) reference.fail(`expected ${errorTemplate}`);
      const { default: _, ...successes } = place.object();
      const operationId = operation.child('operationId').string();
      const errors = [...groups].flatMap(([name, { status, operationIds }]) => {
        if (!operationIds.includes(operationId)) return [];
        place.optional(status)?.fail('this response is made from errors.yaml');
        return [[status, { $ref: `#/components/responses/${name}` }]];
      });
      return [method, { ...operation.object(), responses: { ...successes, ...Object.fromEntries(errors) } }];
    });
    return [path, Object.fromEntries(methods)];
  });
  const { [errorTemplate]: _, ...others } = components.child('responses').object();
  const model = components.child('responses').child(errorTemplate);
  const responses = [...groups].map(([name, { entries }]) => [name, responseOf(entries, model)]);
  // A request that matches no operation has no response here, and so no example.
  const shown = catalogue.filter(({ operations }) => operations.length > 0);
  const examples = shown.map((entry) => [exampleName(entry), exampleOf(entry, model)]);
  return {
    ...root.object(),
    paths: Object.fromEntries(paths),
    components: {
      ...components.object(),
      responses: { ...others, ...Object.fromEntries(responses) },
      examples: { ...components.optional('examples')?.object(), ...Object.fromEntries(examples) },
    },
  };
}

/** The codes of one status that some operations can return, and no other operation just these. */
interface ErrorGroup {
  readonly status: string;
  readonly entries: readonly CatalogueEntry[];
  readonly operationIds: readonly string[];
}

/** The groups of errors by the name of their component. Of the groups of a status, the one of most operations has the short name. */
function groupErrors(catalogue: readonly CatalogueEntry[]): ReadonlyMap<string, ErrorGroup> {
  const groups = new Map<string, ErrorGroup>();
  for (const operationId of new Set(catalogue.flatMap(({ operations }) => operations))) {
    const own = catalogue.filter(({ operations }) => operations.includes(operationId));
    for (const status of new Set(own.map((entry) => entry.status))) {
      const entries = own.filter((entry) => entry.status === status);
      const codes = entries.map(({ code }) => code).join();
      const operationIds = [...(groups.get(codes)?.operationIds ?? []), operationId];
      groups.set(codes, { status: String(status), entries, operationIds });
    }
  }
  const named = new Map<string, ErrorGroup>();
  for (const group of [...groups.values()].toSorted((a, b) => b.operationIds.length - a.operationIds.length)) {
    const [first = ''] = group.operationIds;
    const short = `Error${group.status}`;
    named.set(named.has(short) ? `${short}Of${first.charAt(0).toUpperCase()}${first.slice(1)}` : short, group);
  }
  return named;
}

function responseOf(entries: readonly CatalogueEntry[], model: Place): JsonObject {
  const sent = new Set([...onEveryResponse, ...entries.flatMap(({ headers }) => headers)]);
  const headers = model.child('headers').entries();
  // Keys that look like numbers would come in the order of the numbers, so that tools which show the first one show another.
  const examples = entries.map((entry) => [
    exampleName(entry),
    { $ref: `#/components/examples/${exampleName(entry)}` },
  ]);
  return {
    description: entries.map(({ code, message }) => `\`${code}\`: ${message}.`).join(' '),
    headers: Object.fromEntries(headers.flatMap(([name, { value }]) => (sent.has(name) ? [[name, value]] : []))),
    content: {
      'application/json': {
        schema: model.child('content').child('application/json').child('schema').object(),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The example of the template, with what the code says in it. */
function exampleOf({ code, message, details }: CatalogueEntry, model: Place): JsonObject {
  const examples = model.child('content').child('application/json').child('examples');
  const [, example] = examples.entries()[0] ?? examples.fail('an example is missing');
  const error = example.child('value').child('error').object();
  return { summary: message, value: { error: { ...error, code, message, details } } };
}

function exampleName({ code }: CatalogueEntry): string {
  return `error-${code}`;
}
