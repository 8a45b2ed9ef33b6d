import { type OperationId, type OperationSpec, operations } from '@vehicle-data/openapi';

/** An operation that a request's method and path name, with the values of its path parameters. */
export interface Match {
  readonly id: OperationId;
  readonly operation: OperationSpec;
  readonly path: Readonly<Record<string, string>>;
}

interface Route {
  readonly id: OperationId;
  readonly operation: OperationSpec;
  readonly segments: readonly string[];
}

const routes: readonly Route[] = (Object.keys(operations) as OperationId[]).map((id) => ({
  id,
  operation: operations[id],
  segments: operations[id].path.split('/'),
}));

const noParameters: Readonly<Record<string, string>> = {};

/** Finds the operation of a method and a raw path; a template's parameter matches one segment. */
export function matchRoute(method: string, rawPath: string): Match | undefined {
  const segments = rawPath.split('/');
  for (const route of routes) {
    if (route.operation.method !== method || route.segments.length !== segments.length) continue;
    const path = matchSegments(route.segments, segments);
    if (path) return { id: route.id, operation: route.operation, path };
  }
  return undefined;
}

function matchSegments(template: readonly string[], segments: readonly string[]): Match['path'] | undefined {
  let path: Record<string, string> | undefined;
  for (let i = 0; i < template.length; i++) {
    const expected = template[i] as string;
    const found = segments[i] as string;
    if (expected === found) continue;
    if (!expected.startsWith('{')) return undefined;
    path ??= {};
    path[expected.slice(1, -1)] = decoded(found);
  }
  return path ?? noParameters;
}

/** A segment without percent-encoding; left as it is where the encoding is broken, for the check of the parameter to refuse. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
