import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { JsonObject } from './place.ts';

/** TypeScript types of the whole contract, descriptions as JSDoc. */
export async function typesOf(document: JsonObject): Promise<string> {
  const ast = await openapiTypescript(structuredClone(document) as unknown as OpenAPI3, {
    alphabetize: false,
    immutable: false,
    silent: true,
  });
  return astToString(ast);
}
