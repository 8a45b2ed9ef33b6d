import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import type { Json, Locate } from './place.ts';
import { pointerTo } from './place.ts';

/**
 * Follows a pointer into the bundle through the files that it was made from: references from `openapi.yaml`, and components by
 * their files, which the lint holds to their names. What the build adds has no file: there the last file on the way is named.
 *
 * @param folder the folder of `openapi.yaml`
 */
export function locateIn(folder: string): Locate {
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
        const component = join(folder, 'components', tokens[1] ?? '', `${token}.yaml`);
        if (existsSync(component)) enter(component);
      }
      const reference = referenceOf(at.value);
      // What stands beside a reference is in the file of the reference.
      const isBeside = memberOf(at.value, tokens[index + 1] ?? '') !== undefined;
      if (reference !== undefined && !isBeside) enter(join(dirname(at.file), reference));
    }
    return `${join(basename(folder), relative(folder, at.file))}${at.inside && `#${at.inside}`}`;
  };
}

/** The document in a file; null where it is no YAML. */
function read(file: string): Json {
  return file.endsWith('.yaml') ? (parse(readFileSync(file, 'utf8')) as Json) : null;
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
