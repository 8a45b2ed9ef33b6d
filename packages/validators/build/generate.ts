// Writes src/generated/ from the bundled contract and the IANA time zone database. Run by "pnpm run build".
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { operations } from '@vehicle-data/openapi';
import tzdata from 'tzdata' with { type: 'json' };
import { ContractPlace, GeneratorError, type Json } from './contract-place.ts';
import { emitFiles } from './emit-files.ts';

const generated = fileURLToPath(new URL('../src/generated/', import.meta.url));
const bundle = fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json'));
const contractTypes = new URL('../src/generated/types.ts', import.meta.resolve('@vehicle-data/openapi/openapi.json'));

async function generate(): Promise<void> {
  const contract = new ContractPlace(JSON.parse(await readFile(bundle, 'utf8')) as Json, bundle);
  const files = emitFiles({
    schemas: contract.child('components').child('schemas'),
    operations: Object.values(operations),
    types: await readFile(contractTypes, 'utf8'),
    timeZones: Object.keys(tzdata.zones),
  });
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(`${generated}${name}`, text)));
}

try {
  await generate();
} catch (error) {
  console.error(error instanceof GeneratorError ? error.message : error);
  process.exitCode = 1;
}
