import type { ServedOperation } from '../config.js';

/** A path of the contract with the operations it has. */
export interface Route {
  /** The template, for example `/v1/vehicles/{vin}/locations`: what logs and metrics show in place of the path. */
  readonly template: string;
  readonly operations: ReadonlyMap<string, ServedOperation>;
  /** Value of the `Allow` header. */
  readonly allow: string;
}

/** A route and the raw, undecoded segments that stand for its parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly path: Readonly<Record<string, string>>;
}

interface CompiledRoute {
  readonly route: Route;
  /** The segments of the template; `null` where a parameter stands. */
  readonly literals: readonly (string | null)[];
  readonly parameters: readonly { readonly name: string; readonly index: number }[];
}

const parameterSegment = /^\{([A-Za-z][0-9A-Za-z_]*)\}$/;
const literalSegment = /^[0-9A-Za-z_.~-]*$/;

function compileTemplate(template: string): Omit<CompiledRoute, 'route'> {
  const literals: (string | null)[] = [];
  const parameters: { name: string; index: number }[] = [];
  for (const [index, segment] of template.split('/').entries()) {
    const name = parameterSegment.exec(segment)?.[1];
    if (name !== undefined) parameters.push({ name, index });
    else if (!literalSegment.test(segment)) throw new Error(`the proxy cannot route the path template ${template}`);
    literals.push(name === undefined ? segment : null);
  }
  return { literals, parameters };
}

function parametersIn({ parameters }: CompiledRoute, parts: readonly string[]): Record<string, string> {
  const path: Record<string, string> = {};
  for (const { name, index } of parameters) path[name] = parts[index] ?? '';
  return path;
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
  const compiled = [...byTemplate].map(([template, methods]): CompiledRoute => {
    const allow = [...methods.keys()].sort().join(', ');
    return { route: { template, operations: methods, allow }, ...compileTemplate(template) };
  });
  compiled.sort((a, b) => a.parameters.length - b.parameters.length);

  return function matchRoute(rawPath) {
    const parts = rawPath.split('/');
    for (const each of compiled) {
      const { literals } = each;
      if (literals.length !== parts.length) continue;
      if (literals.every((literal, index) => (literal === null ? parts[index] !== '' : literal === parts[index])))
        return { route: each.route, path: parametersIn(each, parts) };
    }
    return null;
  };
}
