import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { ContractChange } from './contract-changes.ts';

interface Entry {
  readonly place: string;
  readonly text: string;
}

/** Every error code with its line. The list stands at the top of a file of the contract, or under `key` of it. */
async function readCodes(folder: string, file: string, key?: string): Promise<ReadonlyMap<string, Entry>> {
  const lines = new LineCounter();
  const document = parseDocument(await readFile(`${folder}/${file}`, 'utf8'), { lineCounter: lines });
  const list = key === undefined ? document.contents : document.get(key);
  if (!isSeq(list)) throw new Error(`${file} holds no list of error codes`);
  return new Map(
    list.items.map((item) => {
      const code = isMap(item) ? item.get('code', true) : undefined;
      if (!isMap(item) || !isScalar(code)) throw new Error(`${file} holds an error without a code`);
      const { line } = lines.linePos(code.range?.[0] ?? 0);
      return [String(code.value), { place: `openapi/${file}:${line}`, text: JSON.stringify(item.toJSON()) }];
    }),
  );
}

/** The changes of the error catalogue, which is in an extension and so escapes `redocly diff`. */
export async function changedErrorCodes(folder: string): Promise<readonly ContractChange[]> {
  const before = await readCodes(folder, 'released/openapi.yaml', 'x-error-catalogue');
  const after = await readCodes(folder, 'errors.yaml');
  const changes: ContractChange[] = [];
  for (const [code, { place }] of before) {
    if (!after.has(code)) changes.push({ impact: 'major', message: `error code ${code} was removed`, place });
  }
  for (const [code, { place, text }] of after) {
    const old = before.get(code);
    if (old === undefined) changes.push({ impact: 'minor', message: `error code ${code} is new`, place });
    else if (old.text !== text)
      changes.push({ impact: 'patch', message: `error code ${code} reads differently`, place });
  }
  return changes;
}
