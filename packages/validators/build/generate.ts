// Writes src/generated/ from the bundled contract and the IANA time zone database. Run by "pnpm run build".
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { operations } from '@vehicle-data/openapi';
import { ContractError, openContract } from '@vehicle-data/openapi/model';
import tzdata from 'tzdata' with { type: 'json' };
import { emitFiles } from './emit-files.ts';

const generated = fileURLToPath(new URL('../src/generated/', import.meta.url));
const types = new URL('../src/generated/types.ts', import.meta.resolve('@vehicle-data/openapi'));

try {
  const files = emitFiles({
    contract: await openContract(),
    operations: Object.values(operations),
    types: await readFile(types, 'utf8'),
    timeZones: Object.keys(tzdata.zones).toSorted(),
  });
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(`${generated}${name}`, text)));
} catch (error) {
  console.error(error instanceof ContractError ? error.message : error);
  process.exitCode = 1;
}
