import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Finished, run, runOrFail } from '../src/run.ts';
import { repositoryFolder } from '../src/workspace.ts';
import { ContractRepository } from './contract-repository.ts';

const vehicle = 'openapi/components/schemas/Vehicle.yaml';
const location = 'openapi/paths/v1_vehicles_{vin}_locations.yaml';
const words = 'Deprecated since 2026-11-21, stays until 2027-11-21 at least; use something else.';

async function installed(): Promise<ContractRepository> {
  const repository = await ContractRepository.released();
  await cp(join(repositoryFolder, 'tsconfig.base.json'), join(repository.folder, 'tsconfig.base.json'));
  await symlink(join(repositoryFolder, 'openapi/node_modules'), join(repository.folder, 'openapi/node_modules'));
  return repository;
}

function lint({ folder }: ContractRepository): Promise<Finished> {
  return run('node_modules/.bin/redocly', ['lint', 'openapi.yaml'], { cwd: join(folder, 'openapi') });
}

async function deprecate(repository: ContractRepository, description: string): Promise<void> {
  await repository.edit(
    vehicle,
    'description: Nickname the user',
    `deprecated: true\n    description: ${description}Nickname the user`,
  );
  await repository.edit(location, '  summary:', '  deprecated: true\n  summary:');
  await repository.edit(location, 'description: >-\n', `description: >-\n    ${description}\n`);
}

test('a deprecation without dates fails the lint, and so do dates without the mark', async () => {
  const unmarked = await installed();
  await unmarked.edit(vehicle, 'description: Nickname the user', `description: ${words} Nickname the user`);
  const undated = await installed();
  await deprecate(undated, 'Old. ');
  const [first, second] = await Promise.all([lint(unmarked), lint(undated)]);
  expect(`${first.stdout}${first.stderr}`).toContain('but not with "deprecated: true"');
  expect(`${second.stdout}${second.stderr}`).toContain('Deprecated since yyyy-MM-dd, stays until yyyy-MM-dd at least');
  expect([first.exitCode, second.exitCode]).toEqual([1, 1]);
});

test('a dated deprecation passes the lint and reaches the types', { timeout: 30_000 }, async () => {
  const repository = await installed();
  await deprecate(repository, `${words} `);
  const { exitCode, stdout, stderr } = await lint(repository);
  expect(`${stdout}${stderr}`).toContain('valid');
  expect(exitCode).toBe(0);

  const openapi = join(repository.folder, 'openapi');
  await runOrFail(process.execPath, ['build/main.ts'], { cwd: openapi });
  const comment = (text: string, member: RegExp) =>
    [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([^\n]*)/g)].find(([, , line]) =>
      member.test(line ?? ''),
    )?.[1];
  const types = await readFile(join(openapi, 'src/generated/types.ts'), 'utf8');
  for (const member of [/^nickname\?/, /^getLocation\b|^get: operations\["getLocation"\]/]) {
    expect(comment(types, member)).toContain('@deprecated');
    expect(comment(types, member)).toContain('Deprecated since 2026-11-21, stays until 2027-11-21');
  }
});
