// What the generators of other packages read the contract with.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { dataSchema, envelopeSchema } from './operation-table.ts';
import { ContractError, type JsonObject, Place, pointerTo } from './place.ts';
import { locateIn } from './source-files.ts';

export { type EventSpec, readEvents } from './event-table.ts';
export { writeGenerated } from './generated-files.ts';
export { patternLengths } from './pattern-lengths.ts';
export { ContractError, type Json, type JsonObject, Place } from './place.ts';
export { patternWords, type StringFormat } from './schema-keywords.ts';
export {
  type EnumSchema,
  type NumberSchema,
  type ObjectSchema,
  readSchema,
  readSchemas,
  referencesOf,
  resolve,
  type Schema,
  type StringSchema,
} from './schema-model.ts';

export { type Origin, type Source, sourcesOf } from './sources.ts';
export { type VssLine, vssLines } from './vss-names.ts';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const locate = locateIn(folder);

/** Reads the bundle that this package built. Its errors name the file that a place was made from. */
export async function openContract(): Promise<Place> {
  return Place.root(JSON.parse(await readFile(`${folder}/dist/openapi.json`, 'utf8')) as JsonObject, locate);
}

/** The component schemas of the contract, by name. */
export function schemasOf(contract: Place): readonly (readonly [string, Place])[] {
  return contract.child('components').child('schemas').entries();
}

/** An operation of the contract by what the operation table knows of it. */
interface Listed {
  readonly path: string;
  readonly method: string;
}

/** The schema of `data` in the successful response of an operation. */
export function dataOf(contract: Place, operation: Listed): Place {
  return dataSchema(placeOf(contract, operation));
}

/** The schema of the successful response of an operation: the envelope around `data`. */
export function envelopeOf(contract: Place, operation: Listed): Place {
  return envelopeSchema(placeOf(contract, operation));
}

function placeOf(contract: Place, { path, method }: Listed): Place {
  return contract.child('paths').child(path).child(method.toLowerCase());
}

/** The JSON Pointer of an operation in the bundle. */
export function operationPointer({ path, method }: Listed): string {
  return pointerTo('', 'paths', path, method.toLowerCase());
}

/** Stops a build at a construct of the contract that its generator does not understand. */
export function stopBuild(pointer: string, reason: string): never {
  throw new ContractError(locate(pointer), reason);
}
