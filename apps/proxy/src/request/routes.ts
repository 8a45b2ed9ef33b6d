import type { ServedOperation } from '../config.js';

/** A path of the contract with the operations it has. */
export interface Route {
  /** The template, for example `/v1/vehicles/{vin}/locations`: what logs and metrics show in place of the path. */
  readonly template: string;
  readonly operations: ReadonlyMap<string, ServedOperation>;
  readonly allow: string;
}

/** A route and the raw, undecoded segments that stand for its parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly path: Readonly<Record<string, string>>;
}

const parameterSegment = /^\{([A-Za-z][0-9A-Za-z_]*)\}$/;
const literalSegment = /^[0-9A-Za-z_.~-]*$/;

function formOf(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    const name = parameterSegment.exec(segment)?.[1];
    if (name !== undefined) return `(?<${name}>[^/]+)`;
    if (!literalSegment.test(segment)) throw new Error(`the proxy cannot route the path template ${template}`);
    return segment.replaceAll('.', '\\.');
  });
  return new RegExp(`^${segments.join('/')}$`);
}

/**
 * Makes the router of a list of operations. The raw path is compared segment by segment, before any decoding; a literal
 * segment wins over a parameter, and a parameter never stands for an empty segment.
 *
 * @throws {Error} when a path template has a segment that is neither a literal nor one parameter
 */
export function compileRoutes(operations: readonly ServedOperation[]): (rawPath: string) => RouteMatch | null {
  const byTemplate = new Map<string, Map<string, ServedOperation>>();
  for (const operation of operations) {
    const methods = byTemplate.get(operation.path) ?? new Map<string, ServedOperation>();
    byTemplate.set(operation.path, methods.set(operation.method, operation));
  }
  const parametersIn = (template: string) => template.split('{').length;
  const compiled = [...byTemplate]
    .sort(([one], [other]) => parametersIn(one) - parametersIn(other))
    .map(([template, methods]) => ({
      form: formOf(template),
      route: { template, operations: methods, allow: [...methods.keys()].sort().join(', ') },
    }));

  return function matchRoute(rawPath) {
    for (const { form, route } of compiled) {
      const match = form.exec(rawPath);
      if (match !== null) return { route, path: match.groups ?? {} };
    }
    return null;
  };
}
