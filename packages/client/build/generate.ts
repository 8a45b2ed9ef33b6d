// Writes src/generated/ from the contract: types, the operations of the run time, error facts, signals and the methods of
// the client. Nothing in src/ names an operation, a parameter, a route or a limit by hand.
import { readFile } from 'node:fs/promises';
import { errorCatalogue, operations, vssNames } from '@vehicle-data/openapi';
import { openContract, readEvents, readSchemas, writeGenerated } from '@vehicle-data/openapi/model';
import { eventTable } from './events.ts';
import { methodStarts, methodTypes } from './methods.ts';
import { operationIds, operationTable, withData } from './operation-table.ts';
import { queryFactories } from './query-factories.ts';
import { schemaInterfaces } from './schema-interfaces.ts';
import { errorTable, signalTable, tripSeries, vssTable } from './tables.ts';
import { factories, fakeData } from './testing.ts';

const packageFile = new URL('../package.json', import.meta.url);
const { version }: { version: string } = JSON.parse(await readFile(packageFile, 'utf8'));
const types = new URL('../src/generated/types.ts', import.meta.resolve('@vehicle-data/openapi'));

await writeGenerated(new URL('../src/generated/', import.meta.url), async () => {
  const contract = await openContract();
  const examples = [...readSchemas(contract)].flatMap(([name, one]) =>
    one.kind === 'string' ? [[name, one.example]] : [],
  );
  const specs = Object.values(operations).map((spec) => withData(contract, spec));
  return {
    'types.ts': await readFile(types, 'utf8'),
    'schemas.ts': schemaInterfaces(contract),
    'operation-ids.ts': operationIds(specs),
    'operations.ts': operationTable(specs, Object.fromEntries(examples)),
    'errors.ts': errorTable(errorCatalogue),
    'events.ts': eventTable(readEvents(contract)),
    'signals.ts': signalTable(specs),
    'vss.ts': vssTable(vssNames, specs),
    'trip-series.ts': tripSeries(specs),
    'methods.ts': methodTypes(specs, errorCatalogue),
    'start-methods.ts': methodStarts(specs),
    'version.ts': `export const version = ${JSON.stringify(version)};\n`,
    'queries.ts': queryFactories(specs),
    'fakes.ts': fakeData(specs, errorCatalogue),
    'factories.ts': factories(contract),
  };
});
