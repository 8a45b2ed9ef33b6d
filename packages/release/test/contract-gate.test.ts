import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractSemverGate } from '../src/contract-gate/semver-gate.ts';
import { repositoryFolder } from '../src/workspace.ts';
import { releasedContract } from './released-contract.ts';

const vehicle = 'openapi/components/schemas/Vehicle.yaml';
const tripDays = 'openapi/components/dateRanges/TripDays.yaml';
const maxDays = Number(/^maxDays: (\d+)$/m.exec(await readFile(join(repositoryFolder, tripDays), 'utf8'))?.[1]);
const trim = '  trim:\n    type: string\n    description: Trim line.\n    examples: [Sport]\n  sellname:\n';
const [errors, zone] = ['openapi/errors.yaml', 'openapi/components/parameters/ZoneId.yaml'];
const [root, path] = ['openapi/openapi.yaml', '  /v1/vehicles/{vin}/locations:\n'];

test.for<readonly [what: string, needs: string, file: string, from: string, to: string, says: string, at?: RegExp]>([
  ['a removed member', 'major', vehicle, '  sellname:\n', '  salesName:\n', '`sellname`'],
  ['a new member', 'minor', vehicle, '  sellname:\n', trim, 'properties/trim'],
  [
    'a required parameter',
    'major',
    zone,
    'required: false',
    'required: true',
    '`zoneId` query parameter became required',
  ],
  ['a shorter date range', 'major', tripDays, `${maxDays}`, `${maxDays - 1}`, 'x-date-range'],
  ['a longer date range', 'minor', tripDays, `${maxDays}`, `${maxDays + 1}`, 'x-date-range'],
  ['a change of words', 'patch', vehicle, 'Sales model name.', 'Name of the model on sale.', 'description'],
  ['a deprecation', 'minor', vehicle, '  nickname:\n', '  nickname:\n    deprecated: true\n', 'nickname'],
  ['a removed operation', 'major', root, path, '  /v1/vehicles/{vin}/positions:\n', 'locations', /\.yaml:\d+$/],
  ['a removed error code', 'major', errors, '"4045"', '"4046"', 'error code 4045 was removed', /^openapi\/released\//],
  ['a new error code', 'minor', errors, '"4045"', '"4046"', 'error code 4046 is new'],
])('%s needs a %s changeset, and the line is named', async ([, needs, file, from, to, says, at]) => {
  const repository = await releasedContract();
  const line = await repository.edit(file, from, to);
  const { problems } = await contractSemverGate(repository.folder);
  const [problem] = problems.filter(({ message }) => message.includes(says) && message.includes(`needs a ${needs} `));
  expect(problem, JSON.stringify(problems)).toBeDefined();
  expect(problem?.place).toMatch(at ?? new RegExp(`^${file}:(?:${line}|${line + 1})$`));
});

test('a smaller changeset than the change needs is not enough, and one that suffices is', async () => {
  const repository = await releasedContract();
  await repository.edit(vehicle, '  sellname:\n', '  salesName:\n');
  await repository.changeset('minor');
  const { problems, required } = await contractSemverGate(repository.folder);
  expect(required).toBe('major');
  expect(problems.map(({ message }) => message.split(': ').at(-1))).toEqual([
    'needs a major changeset for @vehicle-data/openapi, found minor (changeset add)',
  ]);
  await repository.changeset('major');
  expect((await contractSemverGate(repository.folder)).problems).toEqual([]);
});

test('a contract that equals the released one needs no changeset', async () => {
  const { folder } = await releasedContract();
  const nothing = { compared: true, required: 'none', declared: 'none', problems: [] };
  expect(await contractSemverGate(folder)).toEqual(nothing);
});

test('before the first release there is nothing to compare with, and the verdict says so', async () => {
  const { folder } = await releasedContract();
  await rm(join(folder, 'openapi/released'), { recursive: true });
  expect(await contractSemverGate(folder)).toMatchObject({ compared: false, problems: [] });
});

test('a released bundle that was edited by hand is found', async () => {
  const repository = await releasedContract();
  await repository.edit('openapi/package.json', '"version": "', '"version": "9');
  const { problems } = await contractSemverGate(repository.folder);
  expect(problems).toMatchObject([{ place: 'openapi/released/openapi.yaml' }]);
  expect(problems[0]?.message).toContain('only "npm run version-packages" writes this file');
});
