// Writes src/generated/ from the bundled contract and the IANA time zone database. Run by "pnpm run build".
import { readFile } from 'node:fs/promises';
import { operations } from '@vehicle-data/openapi';
import { openContract, writeGenerated } from '@vehicle-data/openapi/model';
import tzdata from 'tzdata' with { type: 'json' };
import { emitFiles } from './emit-files.ts';

const types = new URL('../src/generated/types.ts', import.meta.resolve('@vehicle-data/openapi'));

await writeGenerated(new URL('../src/generated/', import.meta.url), async () =>
  emitFiles({
    contract: await openContract(),
    operations: Object.values(operations),
    types: await readFile(types, 'utf8'),
    timeZones: Object.keys(tzdata.zones).toSorted(),
  }),
);
