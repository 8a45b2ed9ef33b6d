import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OperationId, operations } from '@vehicle-data/openapi';

interface Node {
  readonly [key: string]: Node;
}

/** The bundled contract as plain JSON. */
export const contract = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')), 'utf8'),
) as Node;

function resolved(node: Node | undefined): Node {
  const reference: unknown = node?.['$ref'];
  if (typeof reference !== 'string') return node as Node;
  return reference
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key] as Node, contract);
}

/** Every example body that the contract gives, with the operation and the status that it belongs to. */
export const examples = Object.values(operations).flatMap((operation) => {
  const place = contract['paths']?.[operation.path]?.[operation.method.toLowerCase()];
  return Object.keys(operation.responses).flatMap((status) => {
    const content = resolved(place?.['responses']?.[status])['content']?.['application/json'];
    return Object.values(content?.['examples'] ?? {}).map((example) => ({
      operationId: operation.operationId satisfies OperationId,
      status: Number(status),
      body: resolved(example)['value'] as unknown,
    }));
  });
});
