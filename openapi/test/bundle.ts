import { readFile } from 'node:fs/promises';
import { type Json, type JsonObject, pointerTo } from '../build/place.ts';

/** The built bundle. */
export const bundle = JSON.parse(
  await readFile(new URL('../dist/openapi.json', import.meta.url), 'utf8'),
) as JsonObject;

/** Every place of the bundle, with its pointer. */
export function* places(value: Json = bundle, pointer = ''): Generator<readonly [string, Json]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* places(child as Json, pointerTo(pointer, key));
}

/** The value at a path of keys; `$ref`s on the way are followed. */
export function lookUp(from: Json, ...keys: readonly string[]): Json {
  let here = follow(from);
  for (const key of keys) {
    const next: Json | undefined = isObject(here) ? here[key] : undefined;
    if (next === undefined) throw new Error(`nothing stands at ${keys.join('/')}`);
    here = follow(next);
  }
  return here;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function follow(value: Json): Json {
  const ref = isObject(value) ? value['$ref'] : undefined;
  return typeof ref === 'string' ? lookUp(bundle, ...ref.slice(2).split('/')) : value;
}
