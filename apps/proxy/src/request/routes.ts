import { type ServedOperation, servedOperations } from '../contract.js';

const parameterSegment = /^\{([A-Za-z][0-9A-Za-z_]*)\}$/;
const literalSegment = /^[0-9A-Za-z_.~-]*$/;

/** @throws {Error} when a segment is neither a literal nor one parameter */
function formOf(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    const name = parameterSegment.exec(segment)?.[1];
    if (name !== undefined) return `(?<${name}>[^/]+)`;
    if (!literalSegment.test(segment)) throw new Error(`the proxy cannot route the path template ${template}`);
    return segment.replaceAll('.', '\\.');
  });
  return new RegExp(`^${segments.join('/')}$`);
}

const parametersIn = (template: string) => template.split('{').length;

/** The paths of the contract, each with the operations that it has. Those with fewer parameters come first: a literal segment wins. */
const routes = [...new Set(servedOperations.map(({ path }) => path))]
  .sort((one, other) => parametersIn(one) - parametersIn(other))
  .map((template) => {
    const ofPath = servedOperations.filter(({ path }) => path === template);
    const operations = new Map<string, ServedOperation>(ofPath.map((operation) => [operation.method, operation]));
    return { template, form: formOf(template), operations, allow: [...operations.keys()].sort().join(', ') };
  });

/** A route and the raw, undecoded segments that stand for its parameters. */
export type RouteMatch = NonNullable<ReturnType<typeof matchRoute>>;

/** The route of a raw path, which is compared segment by segment before any decoding. A parameter never stands for an empty segment. */
export function matchRoute(rawPath: string) {
  for (const route of routes) {
    const match = route.form.exec(rawPath);
    if (match !== null) return { route, path: match.groups ?? {} };
  }
  return null;
}

/** The path of a target, still undecoded. */
export function pathOf(target: string): string {
  const queryAt = target.indexOf('?');
  return queryAt === -1 ? target : target.slice(0, queryAt);
}
