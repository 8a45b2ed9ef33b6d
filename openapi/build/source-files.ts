import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import type { Json, Locate } from './place.ts';
import { pointerTo } from './place.ts';

/**
 * Follows a pointer into the bundle through the files that it was made from. References are followed from `openapi.yaml`; a
 * component is found by its name among the files that are referred to. What the build adds has no file: there the last file on
 * the way is named.
 *
 * @param folder the folder of `openapi.yaml`
 */
export function locateIn(folder: string): Locate {
  const documents = new Map<string, Json>();
  const read = (file: string): Json => {
    const known = documents.get(file);
    if (known !== undefined) return known;
    const text = file.endsWith('.yaml') && existsSync(file) ? readFileSync(file, 'utf8') : 'null';
    const document = parse(text) as Json;
    documents.set(file, document);
    return document;
  };
  const start = join(folder, 'openapi.yaml');
  return (pointer) => {
    const tokens = pointer.split('/').slice(1);
    let at = { file: start, value: read(start), inside: '' };
    const enter = (file: string) => {
      at = { file, value: read(file), inside: '' };
    };
    for (const [index, escaped] of tokens.entries()) {
      const token = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = memberOf(at.value, token);
      at = { ...at, value: next ?? null, inside: pointerTo(at.inside, token) };
      if (next === undefined && index === 2 && tokens[0] === 'components') {
        const component = findComponent(read, start, tokens[1] ?? '', token);
        if (component !== undefined) enter(component);
      }
      const reference = referenceOf(at.value);
      if (reference !== undefined) enter(join(dirname(at.file), reference));
    }
    return `${join(basename(folder), relative(folder, at.file))}${at.inside && `#${at.inside}`}`;
  };
}

function memberOf(value: Json, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, Json>>)[key];
}

/** The file of a `$ref` to a file. */
function referenceOf(value: Json): string | undefined {
  const reference = memberOf(value, '$ref');
  return typeof reference === 'string' && !reference.startsWith('#') ? reference : undefined;
}

/** The file with the name of a component, best in a folder with the name of its kind, that any other file refers to. */
function findComponent(read: (file: string) => Json, start: string, kind: string, name: string): string | undefined {
  const files = new Set([start]);
  const collect = (value: Json, folder: string): void => {
    const reference = referenceOf(value);
    if (reference !== undefined) files.add(join(folder, reference));
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) collect(item, folder);
  };
  for (const file of files) collect(read(file), dirname(file));
  const named = [...files].filter((file) => basename(file) === `${name}.yaml`);
  return named.find((file) => basename(dirname(file)) === kind) ?? named[0];
}
