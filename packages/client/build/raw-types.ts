import type { OperationSpec } from '@vehicle-data/openapi';

/** Query parameters that `client.raw` needs although the contract makes them optional: their absence widens the effect. */
export function rawTypes(specs: readonly OperationSpec[]): string {
  const members = specs.flatMap(({ path, method, wideEffect }) =>
    wideEffect ? `  '${method} ${path}': { ${wideEffect.parameter}: string };` : [],
  );
  return `/** Query parameters that \`client.raw\` always needs: without them the effect of the call is wider. */
export interface NeededQuery {
${members.join('\n')}
}
`;
}
