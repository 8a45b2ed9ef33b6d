import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractSemverGate } from '../src/contract-gate/semver-gate.ts';
import { ContractRepository } from './contract-repository.ts';

const vehicle = 'openapi/components/schemas/Vehicle.yaml';

test('a contract that equals the released one needs no changeset', async () => {
  const { folder } = await ContractRepository.released();
  expect(await contractSemverGate(folder)).toEqual({
    compared: true,
    required: 'none',
    declared: 'none',
    problems: [],
  });
});

test('before the first release there is nothing to compare with, and the verdict says so', async () => {
  const { folder } = await ContractRepository.released();
  await rm(join(folder, 'openapi/released'), { recursive: true });
  expect(await contractSemverGate(folder)).toMatchObject({ compared: false, problems: [] });
});

test('a removed member of a response needs a major changeset, and the line is named', async () => {
  const repository = await ContractRepository.released();
  const line = await repository.edit(vehicle, '  sellname:\n', '  salesName:\n');
  await repository.changeset('minor');
  const { problems, required } = await contractSemverGate(repository.folder);
  expect(required).toBe('major');
  expect(problems).toHaveLength(1);
  expect(problems[0]?.place).toMatch(new RegExp(`^${vehicle}:${line}$|^${vehicle}:${line + 1}$`));
  expect(problems[0]?.message).toContain('`sellname`');
  expect(problems[0]?.message).toContain('needs a major changeset for @vehicle-data/openapi, found minor');

  await repository.changeset('major');
  expect((await contractSemverGate(repository.folder)).problems).toEqual([]);
});

test('a new member of a response needs a minor changeset, and the line is named', async () => {
  const repository = await ContractRepository.released();
  const member = '  trim:\n    type: string\n    description: Trim line.\n    examples: [Sport]\n';
  const line = await repository.edit(vehicle, '  sellname:\n', `${member}  sellname:\n`);
  await repository.changeset('patch');
  const { problems } = await contractSemverGate(repository.folder);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.place).toMatch(new RegExp(`^${vehicle}:(${line}|${line + 1})$`));
  expect(problems[0]?.message).toContain('properties/trim');
  expect(problems[0]?.message).toContain('needs a minor changeset for @vehicle-data/openapi, found patch');

  await repository.changeset('minor');
  expect((await contractSemverGate(repository.folder)).problems).toEqual([]);
});

test('a parameter that becomes required needs a major changeset, and the line is named', async () => {
  const repository = await ContractRepository.released();
  const file = 'openapi/components/parameters/ZoneId.yaml';
  const line = await repository.edit(file, 'required: false', 'required: true');
  const { problems } = await contractSemverGate(repository.folder);
  expect(problems[0]).toMatchObject({ place: `${file}:${line}` });
  expect(problems[0]?.message).toContain('`zoneId` query parameter became required');
  expect(problems[0]?.message).toContain('needs a major changeset');
});

test('a shorter date range needs a major changeset, a longer one a minor', async () => {
  const file = 'openapi/components/dateRanges/TripDays.yaml';
  const text = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const maxDays = Number(/^maxDays: (\d+)$/m.exec(text)?.[1]);
  const paths = new URL('../../../openapi/paths/', import.meta.url);
  const files = await Promise.all((await readdir(paths)).map((name) => readFile(new URL(name, paths), 'utf8')));
  const operations = files.filter((path) => path.includes('dateRanges/TripDays.yaml'));
  for (const [changed, impact] of [
    [maxDays - 1, 'major'],
    [maxDays + 1, 'minor'],
  ] as const) {
    const repository = await ContractRepository.released();
    const line = await repository.edit(file, `maxDays: ${maxDays}`, `maxDays: ${changed}`);
    const { problems } = await contractSemverGate(repository.folder);
    expect(problems).toHaveLength(operations.length);
    for (const { place, message } of problems) {
      expect(place).toBe(`${file}:${line}`);
      expect(message).toContain(`needs a ${impact} changeset`);
    }
  }
});

test('a change of words needs a patch changeset, and the line is named', async () => {
  const repository = await ContractRepository.released();
  const line = await repository.edit(vehicle, 'Sales model name.', 'Name of the model on sale.');
  const before = await contractSemverGate(repository.folder);
  expect(before.problems).toMatchObject([{ place: `${vehicle}:${line}` }]);
  expect(before.problems[0]?.message).toContain('needs a patch changeset');
  await repository.changeset('patch');
  expect((await contractSemverGate(repository.folder)).problems).toEqual([]);
});

test('a new operation needs a minor changeset, a removed one a major', async () => {
  const repository = await ContractRepository.released();
  const item = '  /v1/vehicles/{vin}/locations:\n    $ref: paths/v1_vehicles_{vin}_locations.yaml\n';
  await repository.edit('openapi/openapi.yaml', item, item.replace('/locations:', '/positions:'));
  const { problems } = await contractSemverGate(repository.folder);
  expect(problems.map(({ message }) => /needs a (\w+) changeset/.exec(message)?.[1])).toContain('major');
  const removed = problems.find(({ message }) => message.includes('major'));
  expect(removed?.place).toMatch(/^openapi\/(released\/)?openapi\.yaml:\d+$|^openapi\/paths\/.*:\d+$/);
});

test('a removed error code needs a major changeset, a new one a minor', async () => {
  const repository = await ContractRepository.released();
  const line = await repository.edit('openapi/errors.yaml', '- code: "4045"', '- code: "4046"');
  const { problems } = await contractSemverGate(repository.folder);
  expect(problems[0]?.place).toMatch(/^openapi\/released\/openapi\.yaml:\d+$/);
  expect(problems[0]?.message).toContain('error code 4045 was removed: needs a major changeset');
  expect(problems[1]?.place).toBe(`openapi/errors.yaml:${line}`);
  expect(problems[1]?.message).toContain('error code 4046 is new: needs a minor changeset');
});

test('a deprecation needs a minor changeset', async () => {
  const repository = await ContractRepository.released();
  await repository.edit(vehicle, '  nickname:\n', '  nickname:\n    deprecated: true\n');
  const { problems } = await contractSemverGate(repository.folder);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain('needs a minor changeset');
});

test('a released bundle that was edited by hand is found', async () => {
  const repository = await ContractRepository.released();
  await repository.edit('openapi/package.json', '"version": "', '"version": "9');
  const { problems } = await contractSemverGate(repository.folder);
  expect(problems).toMatchObject([{ place: 'openapi/released/openapi.yaml' }]);
  expect(problems[0]?.message).toContain('only "npm run version-packages" writes this file');
});
