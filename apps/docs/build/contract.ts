import { fileURLToPath } from 'node:url';
import { errorCatalogue, type OperationSpec } from '@vehicle-data/openapi';
import { type Json, type JsonObject, openContract } from '@vehicle-data/openapi/model';

/** The bundled contract. */
export const contract = await openContract();

const info = contract.child('info');
export const title = info.child('title').string();
export const summary = info.child('summary').string();
export const version = info.child('version').string();

/** The bundle in one of its two formats. */
export const bundleFile = (format: 'json' | 'yaml') =>
  fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')).replace(/json$/, format);

/** The first example of a successful response. */
export function responseExample({ path, method }: OperationSpec): Json {
  const response = contract.child('paths').child(path).child(method.toLowerCase()).child('responses').child('200');
  const examples = response.resolved('responses').child('content').child('application/json').child('examples');
  const [, example] = examples.entries()[0] ?? examples.fail('an example is missing');
  return example.resolved('examples').child('value').inlined();
}

/** The response with an error code. The example of a code that no operation returns is not in the contract: it differs in code and message. */
export function errorExample(code: string): Json {
  const examples = contract.child('components').child('examples');
  const own = examples.optional(`error-${code}`)?.child('value').inlined();
  if (own !== undefined) return own;
  const { message } = errorCatalogue.find((entry) => entry.code === code) ?? examples.fail(`error-${code} is missing`);
  const { error, ...envelope } = examples.child('error-4002').child('value').object();
  return { ...envelope, error: { ...(error as JsonObject), code, message, details: [] } };
}
