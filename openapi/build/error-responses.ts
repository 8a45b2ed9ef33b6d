import type { CatalogueEntry } from './error-catalogue.ts';
import type { JsonObject, Place } from './place.ts';

/** The response component from which error responses are made. */
const template = 'Error';

/**
 * Replaces the response `default` of every operation, a template, by one response for each status with exactly the codes that
 * the operation can return. So a code, its message and its status are written once, in errors.yaml.
 */
export function addErrorResponses(root: Place, catalogue: readonly CatalogueEntry[]): JsonObject {
  const components = root.child('components');
  const responses = new ErrorResponses(catalogue, components.child('responses').child(template));
  const paths = root
    .child('paths')
    .entries()
    .map(([path, item]) => {
      const methods = item.entries().map(([method, operation]) => {
        const place = operation.child('responses');
        const reference = place.child('default');
        if (reference.refName('responses') !== template) reference.fail(`expected ${template}`);
        const { default: _, ...successes } = place.object();
        const errors = responses.of(operation.child('operationId').string());
        for (const status of Object.keys(errors))
          place.optional(status)?.fail('this response is made from errors.yaml');
        return [method, { ...operation.object(), responses: { ...successes, ...errors } }];
      });
      return [path, Object.fromEntries(methods)];
    });
  const { [template]: _, ...others } = components.child('responses').object();
  return {
    ...root.object(),
    paths: Object.fromEntries(paths),
    components: {
      ...components.object(),
      responses: { ...others, ...responses.components },
      examples: { ...components.optional('examples')?.object(), ...responses.examples },
    },
  };
}

/** The response components of errors. Operations with the same codes of a status share one. */
class ErrorResponses {
  readonly components: Record<string, JsonObject> = {};
  readonly examples: Record<string, JsonObject> = {};
  readonly #catalogue: readonly CatalogueEntry[];
  readonly #headers: readonly (readonly [string, Place])[];
  readonly #schema: JsonObject;
  readonly #names = new Map<string, string>();

  constructor(catalogue: readonly CatalogueEntry[], template: Place) {
    this.#catalogue = catalogue;
    this.#headers = template.child('headers').entries();
    const content = template.child('content').child('application/json');
    this.#schema = content.child('schema').object();
    const [, example] =
      content.child('examples').entries()[0] ?? content.child('examples').fail('an example is missing');
    const error = example.child('value').child('error').object();
    for (const { code, message, details } of catalogue) {
      this.examples[exampleName(code)] = { summary: message, value: { error: { ...error, code, message, details } } };
    }
  }

  /** References to the error responses of an operation, by status. */
  of(operationId: string): JsonObject {
    const own = this.#catalogue.filter(({ operations }) => operations.includes(operationId));
    const statuses = [...new Set(own.map(({ status }) => status))].toSorted();
    return Object.fromEntries(
      statuses.map((status) => {
        const entries = own.filter((entry) => entry.status === status);
        return [String(status), { $ref: `#/components/responses/${this.#component(operationId, status, entries)}` }];
      }),
    );
  }

  /** The codes of a status that most operations share. */
  #mostCommon(status: number): string | undefined {
    const entries = this.#catalogue.filter((entry) => entry.status === status);
    const counts = new Map<string, number>();
    for (const operationId of new Set(entries.flatMap(({ operations }) => operations))) {
      const codes = entries.filter(({ operations }) => operations.includes(operationId)).map(({ code }) => code);
      counts.set(codes.join(), (counts.get(codes.join()) ?? 0) + 1);
    }
    return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }

  #component(operationId: string, status: number, entries: readonly CatalogueEntry[]): string {
    const codes = entries.map(({ code }) => code).join();
    const known = this.#names.get(codes);
    if (known !== undefined) return known;
    const own = `Error${status}Of${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
    const name = codes === this.#mostCommon(status) ? `Error${status}` : own;
    const sent = new Set(['X-Request-Id', ...entries.flatMap(({ headers }) => headers)]);
    this.#names.set(codes, name);
    this.components[name] = {
      description: entries.map(({ code, message }) => `\`${code}\`: ${message}.`).join(' '),
      headers: Object.fromEntries(
        this.#headers.flatMap(([header, { value }]) => (sent.has(header) ? [[header, value]] : [])),
      ),
      content: {
        'application/json': {
          schema: this.#schema,
          examples: Object.fromEntries(
            entries.map(({ code }) => [code, { $ref: `#/components/examples/${exampleName(code)}` }]),
          ),
        },
      },
    };
    return name;
  }
}

function exampleName(code: string): string {
  return `error-${code}`;
}
