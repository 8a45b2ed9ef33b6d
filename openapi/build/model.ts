// What the generators of other packages read the contract with.
export { ContractError, type Json, type JsonObject, type Locate, Place, pointerTo } from './place.ts';
export type { StringFormat } from './schema-keywords.ts';
export {
  type ArraySchema,
  type DiscriminatedSchema,
  type EnumSchema,
  type NumberSchema,
  type ObjectSchema,
  readSchemas,
  referencesOf,
  resolve,
  type Schema,
  type StringSchema,
  typesOfScalar,
  type UnionSchema,
} from './schema-model.ts';
export { locateIn } from './source-files.ts';
