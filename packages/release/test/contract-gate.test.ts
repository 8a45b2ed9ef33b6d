import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { redocly } from '../../../openapi/build/bundle.ts';
import { copyContract } from '../../../openapi/test/contract-copy.ts';
import { contractChanges, contractSemverGate } from '../src/contract-gate/semver-gate.ts';
import { repositoryFolder } from '../src/workspace.ts';

const released = await redocly(join(repositoryFolder, 'openapi'), 'bundle', 'openapi.yaml');

/** A repository with the contract and nothing else, released as it stands, with no pending changeset. */
async function releasedContract() {
  const contract = await copyContract();
  const folder = dirname(contract.folder);
  await mkdir(join(folder, '.changeset'));
  await writeFile(join(folder, 'pnpm-workspace.yaml'), 'packages: [openapi]\n');
  await mkdir(join(contract.folder, 'released'), { recursive: true });
  await writeFile(join(contract.folder, 'released/openapi.yaml'), released);
  return {
    folder,
    edit: (file: string, from: string, to: string) => contract.edit(file, from, to),
    /** The line of a file of the contract on which a text starts. */
    async lineOf(file: string, text: string): Promise<number> {
      const [before = ''] = (await readFile(join(contract.folder, file), 'utf8')).split(text);
      return before.split('\n').length;
    },
    changeset: (type: 'patch' | 'minor' | 'major', name = '@vehicle-data/openapi') =>
      writeFile(join(folder, `.changeset/${type}.md`), `---\n'${name}': ${type}\n---\n\nA change.\n`),
  };
}

const [vehicle, tripDays] = ['components/schemas/Vehicle.yaml', 'components/dateRanges/TripDays.yaml'];
const maxDays = Number(
  /^maxDays: (\d+)$/m.exec(await readFile(join(repositoryFolder, 'openapi', tripDays), 'utf8'))?.[1],
);
const trim = '  trim:\n    type: string\n    description: Trim line.\n    examples: [Sport]\n  name:\n';
const [errors, zone] = ['errors.yaml', 'components/parameters/ZoneId.yaml'];
const [root, path] = ['openapi.yaml', '  /v1/vehicles/{vin}/locations:\n'];
const locations = 'paths/v1_vehicles_vin_locations.yaml';
const requestId = '        X-Request-Id:\n';
const traceHeader = '        X-Trace:\n          $ref: ../components/headers/XRequestId.yaml\n';
const stopped = 'components/schemas/StopDataSharingResponse.yaml';
const introduction = 'guides/introduction.md';
const [error, detail] = ['components/schemas/ServiceError.yaml', '$ref: ErrorDetail.yaml'];
const example = '$ref: ../components/examples/Location.yaml';
const anyLine = /\.yaml:\d+$/;
const inReleased = /^openapi\/released\/openapi\.yaml:\d{2,}$/;
const [driving, powertrain] = ['components/schemas/DrivingTrip.yaml', 'components/schemas/PowertrainTrip.yaml'];
const [zoneIds, types] = ['components/schemas/ZoneId.yaml', 'components/schemas/VehicleType.yaml'];
const brand = 'components/schemas/Brand.yaml';
const requiredZone = '`zoneId` query parameter became required';

type Change = readonly [what: string, needs: string, file: string, from: string, to: string, says: string, at?: RegExp];
const changes: readonly Change[] = [
  ['a removed member', 'major', vehicle, '  sellname:\n', '  salesName:\n', '`sellname`'],
  ['a new member', 'minor', vehicle, '  name:\n', trim, 'properties/trim'],
  ['another name in another specification', 'patch', powertrain, 'CombustionEngine.Speed', 'Engine.Speed', 'x-vss'],
  ['a required parameter', 'major', zone, 'required: false', 'required: true', requiredZone],
  ['a shorter date range', 'major', tripDays, `: ${maxDays}`, `: ${maxDays - 1}`, 'x-date-range'],
  ['another default', 'major', zoneIds, ': UTC', ': Asia/Seoul', '(default)'],
  ['a narrower range of a response', 'minor', powertrain, ': 6553', ': 6000', '(maximum)'],
  ['a wider range of a response', 'major', powertrain, ': 150.5', ': 151', "'<= 151'", anyLine],
  ['a removed value of a response', 'minor', types, ', FV, UNKNOWN', ', UNKNOWN', '(enum)'],
  ['a removed value of a request', 'major', brand, ', brand_c]', ']', "lost values: 'brand_c'"],
  ['a new value', 'minor', driving, ', unbelted]', ', unbelted, none]', "gained values: 'none'"],
  ['a change of words', 'patch', vehicle, 'Model name (model code).', 'Code of the model.', '/name (description)'],
  ['a deprecation', 'minor', vehicle, '  nickname:\n', '  nickname:\n    deprecated: true\n', 'nickname'],
  ['a new header', 'minor', locations, requestId, `${traceHeader}${requestId}`, 'X-Trace'],
  ['a removed operation', 'major', root, path, '  /v1/vehicles/{vin}/positions:\n', 'locations', anyLine],
  ['what to do on an error', 'major', errors, ': ask-consent\n', ': retry\n', 'resolution of error code 5006', anyLine],
  ['words of an error', 'patch', errors, 'owner has not', 'owner did not', 'meaning of error code 5006', anyLine],
  ['words of the introduction', 'patch', introduction, 'The vehicle data', 'A vehicle data', 'info (description)'],
  ['a renamed schema', 'major', stopped, 'EmptyData', 'NoData', 'removed components/schemas/EmptyData', inReleased],
  ['an unused schema', 'major', error, detail, 'type: object', 'removed components/schemas/ErrorDetail', inReleased],
  ['an unused example', 'patch', locations, example, 'value: {}', 'components/examples/Location', inReleased],
  ['a removed error code', 'major', errors, '"4045"', '"4046"', 'error code 4045 was removed', inReleased],
  // The same edit as the one before.
  ['a new error code', 'minor', errors, '"4045"', '"4046"', 'error code 4046 is new'],
];

test('every change needs a changeset of its size or a bigger one, and the line is named', async () => {
  const contract = await releasedContract();
  for (const [, , file, from, to] of changes.slice(0, -1)) await contract.edit(file, from, to);
  const schemas = join(contract.folder, 'openapi/components/schemas');
  await rename(`${schemas}/EmptyData.yaml`, `${schemas}/NoData.yaml`);
  // Finding the changes takes a second: what changesets make of them is asked three times.
  const found = await contractChanges(join(contract.folder, 'openapi'));
  const gate = () => contractSemverGate(contract.folder, async () => found);
  const { problems, required } = await gate();
  expect(required).toBe('major');
  const placed = problems.map((problem) => problem.split(/: (.*)/));
  for (const [what, needs, file, , to, says, at] of changes) {
    const isNeeded = (message = '') => message.includes(says) && message.includes(`needs a ${needs} `);
    const [place] = placed.find(([, message]) => isNeeded(message)) ?? [];
    const line = await contract.lineOf(file, to);
    expect.soft(place, what).toMatch(at ?? new RegExp(`^openapi/${file}:(?:${line}|${line + 1})$`));
  }
  const undeclared = async () => (await gate()).problems.map((problem) => problem.split(': ').at(-1));
  await contract.changeset('minor');
  expect(new Set(await undeclared())).toEqual(
    new Set(['needs a major changeset for @vehicle-data/openapi, found minor (changeset add)']),
  );
  await contract.changeset('major');
  expect(await undeclared()).toEqual([]);
});

test('an equal contract needs no changeset, a longer date range a minor one, and before the first release nothing is compared', async () => {
  const { folder, edit, changeset } = await releasedContract();
  const found = await contractChanges(join(folder, 'openapi'));
  expect(found).toEqual([]);
  const gate = () => contractSemverGate(folder, async () => found);
  const nothing = { compared: true, required: 'none', declared: 'none', problems: [] };
  expect(await gate()).toEqual(nothing);
  await edit(tripDays, `: ${maxDays}`, `: ${maxDays + 1}`);
  expect(await contractSemverGate(folder)).toMatchObject({ required: 'minor' });

  // A changeset for a package that is not in the workspace is a problem, before the first release as well.
  await changeset('patch', '@vehicle-data/opneapi');
  const problems = ['.changeset/patch.md: @vehicle-data/opneapi is not in the workspace'];
  expect(await gate()).toEqual({ ...nothing, problems });
  await rm(join(folder, 'openapi/released'), { recursive: true });
  expect(await contractSemverGate(folder)).toMatchObject({ compared: false, problems });
  await rm(join(folder, '.changeset/patch.md'));
  expect(await contractSemverGate(folder)).toMatchObject({ compared: false, problems: [] });
});
