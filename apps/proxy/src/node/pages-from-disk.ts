import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Page, Pages } from '../pages.js';

function page(specifier: string, contentType: string): Page {
  return {
    contentType,
    async gzip() {
      const file = await readFile(fileURLToPath(import.meta.resolve(specifier)));
      return new Uint8Array(await promisify(gzip)(file));
    },
  };
}

/** The pages of the contract package, read from disk and compressed when somebody first asks for them. */
export function pagesFromDisk(): Pages {
  return {
    docs: page('@vehicle-data/openapi/docs', 'text/html; charset=utf-8'),
    contract: page('@vehicle-data/openapi/openapi.json', 'application/json'),
  };
}
