import type { ServedOperation } from './config.js';

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
  readonly segments: readonly { readonly literal: string | null; readonly parameter: string }[];
}

const parameterSegment = /^\{([A-Za-z][0-9A-Za-z_]*)\}$/;
const literalSegment = /^[0-9A-Za-z_.~-]*$/;

function compileTemplate(template: string): CompiledRoute['segments'] {
  return template.split('/').map((segment) => {
    const parameter = parameterSegment.exec(segment)?.[1];
    if (parameter !== undefined) return { literal: null, parameter };
    if (!literalSegment.test(segment)) throw new Error(`the proxy cannot route the path template ${template}`);
    return { literal: segment, parameter: '' };
  });
}

function parametersIn(segments: CompiledRoute['segments'], parts: readonly string[]): Record<string, string> {
  const path: Record<string, string> = {};
  for (const [index, { literal, parameter }] of segments.entries())
    if (literal === null) path[parameter] = parts[index] ?? '';
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
    return { route: { template, operations: methods, allow }, segments: compileTemplate(template) };
  });
  const literals = (route: CompiledRoute) => route.segments.filter((segment) => segment.literal !== null).length;
  compiled.sort((a, b) => literals(b) - literals(a));

  return function matchRoute(rawPath) {
    const parts = rawPath.split('/');
    for (const { route, segments } of compiled) {
      if (segments.length !== parts.length) continue;
      if (segments.every(({ literal }, index) => (literal === null ? parts[index] !== '' : literal === parts[index])))
        return { route, path: parametersIn(segments, parts) };
    }
    return null;
  };
}
