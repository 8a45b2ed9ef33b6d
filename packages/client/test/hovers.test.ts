// What an editor shows of the client: names of interfaces, never the types that the generator and openapi-fetch compute with.
import { fileURLToPath } from 'node:url';
// The language service of TypeScript 5 is the one that editors still run; TypeScript 7 has none for programs.
import ts from 'typescript-5';
import { expect, test } from 'vitest';

const file = fileURLToPath(new URL('hovers.sample.ts', import.meta.url));
const sample = `import { createVehicleDataClient } from '../src/index.js';
const own = createVehicleDataClient({ baseUrl: '', brands: ['acme', 'zenith'], brand: 'acme', accessToken: null });
const client = createVehicleDataClient({ baseUrl: '', brand: 'brand_a', accessToken: null });
export async function hover(vin: string) {
  const location = await client.getLocation({ vin });
  const whole = await client.getLocation({ vin }).withResponse();
  const user = own.with({ brand: 'zenith' });
  const list = await client.raw.GET('/v1/vehicles/consent');
  const { data, error } = await client.raw.GET('/v1/vehicles/{vin}/locations', { params: { path: { vin } } });
  const iterator = client.trips.driving({ vin, from: '20260101', to: '20260102' });
  const sync = client.trips.sync({ series: 'driving', vin, since: '20260101' });
  const changes = await client.consents.changes([vin]);
  for await (const trip of iterator) console.log(trip);
  return [location, whole, user, list, data, error, sync, changes, client.stopSharing];
}
`;

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
};
const read = (path: string) => (path === file ? sample : ts.sys.readFile(path));
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  readFile: read,
  fileExists: (path) => path === file || ts.sys.fileExists(path),
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot(path) {
    const text = read(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});

/** What an editor shows of the name that follows another text. */
function hover(before: string, name: string): string {
  const position = sample.indexOf(`${before}${name}`) + before.length;
  return ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts);
}

test.each([
  { name: 'own', before: 'const ', expected: 'const own: VehicleDataClient<"acme" | "zenith">' },
  { name: 'client', before: 'const ', expected: 'const client: VehicleDataClient<Brand>' },
  { name: 'location', before: 'const ', expected: 'const location: LocationRecord' },
  { name: 'whole', before: 'const ', expected: 'const whole: AgedResponse<LocationRecord>' },
  { name: 'user', before: 'const ', expected: 'const user: VehicleDataClient<"acme" | "zenith">' },
  { name: 'list', before: 'const ', expected: 'const list: RawResult<VehicleListResponse>' },
  { name: 'data', before: 'const { ', expected: 'const data: LocationResponse | undefined' },
  { name: 'error', before: 'const { data, ', expected: 'const error: ErrorEnvelope | undefined' },
  { name: 'iterator', before: 'const ', expected: 'const iterator: TripIterator<DrivingTrip>' },
  { name: 'sync', before: 'const ', expected: 'const sync: SyncIterator<DrivingTrip>' },
  { name: 'changes', before: 'const ', expected: 'const changes: ConsentChanges' },
  { name: 'trip', before: 'for await (const ', expected: 'const trip: DrivingTrip' },
])('the hover of a value names an interface: $name', ({ name, before, expected }) => {
  expect(service.getSemanticDiagnostics(file)).toEqual([]);
  expect(hover(before, name)).toBe(expected);
});

test.each([
  { name: 'getLocation', before: 'client.' },
  { name: 'stopSharing', before: 'client.' },
  { name: 'with', before: 'own.' },
  { name: 'GET', before: 'client.raw.' },
  { name: 'driving', before: 'client.trips.' },
  { name: 'sync', before: 'client.trips.' },
  { name: 'changes', before: 'client.consents.' },
])('the hover of a method fits three lines and has no computed type: $name', ({ name, before }) => {
  const text = hover(before, name);
  expect(text).toContain(name);
  expect(text.length).toBeLessThan(240);
  expect(text).not.toMatch(/Pick<|Omit<|Record<|components\[|paths\[| & |\{\n/);
});
