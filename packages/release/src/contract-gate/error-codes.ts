import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { ContractChange } from './change.ts';

interface Entry {
  readonly line: number;
  readonly text: string;
}

/** Every error code with its line. The list stands at the top of a file, or under `key` of it. */
async function readCodes(file: string, key?: string): Promise<ReadonlyMap<string, Entry>> {
  const lines = new LineCounter();
  const document = parseDocument(await readFile(file, 'utf8'), { lineCounter: lines });
  const list = key === undefined ? document.contents : document.get(key);
  if (!isSeq(list)) throw new Error(`${file} holds no list of error codes`);
  return new Map(
    list.items.map((item) => {
      const code = isMap(item) ? item.get('code', true) : undefined;
      if (!isMap(item) || !isScalar(code)) throw new Error(`${file} holds an error without a code`);
      const line = lines.linePos(code.range?.[0] ?? 0).line;
      return [String(code.value), { line, text: JSON.stringify(item.toJSON()) }];
    }),
  );
}

interface CatalogueFiles {
  readonly releasedBundle: string;
  readonly releasedName: string;
  readonly catalogue: string;
  readonly catalogueName: string;
}

/** The changes of the error catalogue, which is in an extension and so escapes `redocly diff`. */
export async function changedErrorCodes(files: CatalogueFiles): Promise<readonly ContractChange[]> {
  const before = await readCodes(files.releasedBundle, 'x-error-catalogue');
  const after = await readCodes(files.catalogue);
  const change = (code: string, of: Pick<ContractChange, 'kind' | 'impact' | 'message' | 'place'>): ContractChange => ({
    path: `#/x-error-catalogue/${code}`,
    property: undefined,
    before: before.get(code)?.text,
    after: after.get(code)?.text,
    ...of,
  });
  const changes: ContractChange[] = [];
  for (const [code, { line }] of before) {
    if (after.has(code)) continue;
    const place = `${files.releasedName}:${line}`;
    changes.push(change(code, { kind: 'removed', impact: 'major', message: `error code ${code} was removed`, place }));
  }
  for (const [code, { line, text }] of after) {
    const place = `${files.catalogueName}:${line}`;
    const old = before.get(code);
    if (old === undefined) {
      changes.push(change(code, { kind: 'added', impact: 'minor', message: `error code ${code} is new`, place }));
    } else if (old.text !== text) {
      changes.push(
        change(code, { kind: 'modified', impact: 'patch', message: `error code ${code} reads differently`, place }),
      );
    }
  }
  return changes;
}
