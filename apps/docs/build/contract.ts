import { fileURLToPath } from 'node:url';
import type { OperationSpec } from '@vehicle-data/openapi';
import { type Json, openContract } from '@vehicle-data/openapi/model';

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

/** The response with an error code. */
export const errorExample = (code: string): Json =>
  contract.child('components').child('examples').child(`error-${code}`).child('value').inlined();
