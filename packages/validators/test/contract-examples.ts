import { type OperationId, operations } from '@vehicle-data/openapi';
import { type JsonObject, openContract } from '@vehicle-data/openapi/model';

/** The bundled contract. */
export const contract = await openContract();

/** Every example body that the contract gives, with the operation and the status that it belongs to. */
export const examples = Object.values(operations).flatMap(({ operationId, path, method, responses }) => {
  const operation = contract.child('paths').child(path).child(method.toLowerCase());
  return Object.entries(responses).flatMap(([status, schema]) => {
    const response = operation.child('responses').child(status).resolved('responses');
    const bodies = response.child('content').child('application/json').child('examples').entries();
    return bodies.map(([, example]) => ({
      operationId: operationId satisfies OperationId,
      status: Number(status),
      schema,
      body: example.resolved('examples').child('value').object() satisfies JsonObject,
    }));
  });
});

/** One response for each schema of a body, with all examples of that schema. */
export const responses = [...new Set(examples.map(({ schema }) => schema))].flatMap((schema) => {
  const same = examples.filter((example) => example.schema === schema);
  return same.slice(0, 1).map(({ operationId, status }) => {
    return { operationId, status, schema, bodies: same.map(({ body }) => body) };
  });
});
