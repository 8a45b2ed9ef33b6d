// A deployment's own changes of the contract: a file of the OpenAPI Overlay Specification 1.0, applied to the bundle before anything is
// made from it. https://spec.openapis.org/overlay/v1.0.0.html
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type JSONPathNode, query } from 'json-p3';
import { parse, YAMLParseError } from 'yaml';
import { type Json, type JsonObject, Place } from './place.ts';

const fileName = 'overlay.yaml';

interface Action {
  readonly target: Place;
  /** What is merged into the selected objects or appended to the selected lists; `undefined` removes what is selected. */
  readonly update: Json | undefined;
}

/** Reads `overlay.yaml` beside the contract's root file; `undefined` where there is none. */
export function overlayIn(folder: string): Place | undefined {
  const file = join(folder, fileName);
  return existsSync(file) ? readOverlay(readFileSync(file, 'utf8'), `${basename(folder)}/${fileName}`) : undefined;
}

/** Reads an overlay of a file that errors name. */
export function readOverlay(yaml: string, name: string): Place {
  const at = (pointer: string) => `${name}${pointer && `#${pointer}`}`;
  try {
    return Place.root(parse(yaml) as JsonObject, at);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    return Place.root({}, at).fail(error.message);
  }
}

/**
 * Applies the actions of an overlay in their order, each to the result of the one before.
 *
 * The specification lets a target select nothing. Here that is an error by default: in a contract that changes, it is most often a
 * renamed place whose change would silently be lost.
 *
 * @param options.allowUnused accepts targets that select nothing, for parts of the contract
 * @throws ContractError with the place in the overlay
 */
export function applyOverlay(document: JsonObject, overlay: Place, { allowUnused = false } = {}): JsonObject {
  let result: Json = structuredClone(document);
  for (const action of readActions(overlay)) {
    const nodes = select(result, action.target);
    if (nodes.length === 0 && !allowUnused) action.target.fail('selects nothing in the contract');
    for (const { value } of nodes)
      if (typeof value !== 'object' || value === null)
        action.target.fail('selects a plain value; select the object that holds it');
    // From the last one, so that the positions in a list that were not visited yet stay.
    for (const { location, value } of nodes.toReversed()) {
      const changed = action.update === undefined ? undefined : updated(value as Json, action.update, action.target);
      if (changed === undefined && location.length === 0) action.target.fail('the whole contract cannot be removed');
      result = withChange(result, location, changed);
    }
  }
  return result as JsonObject;
}

function readActions(overlay: Place): readonly Action[] {
  const known = (place: Place, required: string, optional: string) => {
    const extensions = Object.keys(place.object()).filter((key) => key.startsWith('x-'));
    return place.shaped(required, [optional, ...extensions].join(' '));
  };
  known(overlay, 'overlay info actions', 'extends');
  const version = overlay.child('overlay');
  if (!/^1\.0\.\d+$/.test(version.string())) version.fail('is not a version of the Overlay Specification 1.0');
  const info = known(overlay.child('info'), 'title version', '');
  for (const key of ['title', 'version']) info.child(key).string();
  const actions = overlay.child('actions').items();
  if (actions.length === 0) overlay.child('actions').fail('expected at least one action');
  return actions.map((action) => {
    known(action, 'target', 'description update remove');
    const target = action.child('target');
    const isRemoved = action.optional('remove')?.boolean() ?? false;
    const update = action.optional('update')?.value;
    if (!isRemoved && update === undefined) action.fail('expected "update" or "remove: true"');
    return { target, update: isRemoved ? undefined : update };
  });
}

/** The nodes that a JSONPath selects: https://www.rfc-editor.org/rfc/rfc9535 */
function select(document: Json, target: Place): readonly JSONPathNode[] {
  try {
    return query(target.string(), document as never).nodes;
  } catch (error) {
    return target.fail(`is no JSONPath of RFC 9535: ${error instanceof Error ? error.message : error}`);
  }
}

function updated(value: Json, update: Json, target: Place): Json {
  if (Array.isArray(value)) return [...value, update];
  return isObject(update) ? merged(value, update) : target.fail('selects an object, so "update" must be an object');
}

/** Members are merged, lists are joined, and everything else is replaced. */
function merged(value: Json | undefined, update: Json): Json {
  if (Array.isArray(value) && Array.isArray(update)) return [...value, ...update];
  if (value === undefined || !isObject(value) || !isObject(update)) return update;
  const members = Object.entries(update).map(([key, member]) => {
    return [key, merged(Object.hasOwn(value, key) ? value[key] : undefined, member)];
  });
  return { ...value, ...Object.fromEntries(members) };
}

/** The document with another value at a place, or without the place. */
function withChange(document: Json, [key, ...rest]: readonly (string | number)[], changed: Json | undefined): Json {
  if (key === undefined) return changed ?? null;
  const isLast = rest.length === 0;
  if (Array.isArray(document)) {
    const items: readonly Json[] = document;
    if (isLast && changed === undefined) return items.filter((_, index) => index !== key);
    return items.map((item, index) => (index === key ? withChange(item, rest, changed) : item));
  }
  const { [key]: inside = null, ...others } = document as JsonObject;
  if (isLast && changed === undefined) return others;
  return { ...(document as JsonObject), [key]: withChange(inside, rest, changed) };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
