import { execFile } from 'node:child_process';
import { operations } from '@vehicle-data/openapi';
import { expect, test } from 'vitest';
import { basicDate, repository, sharedService } from './apps.ts';

const service = sharedService();

/** Runs the Arazzo workflow against a base address, as `redocly respect` reports it. */
function respect(
  address: string,
  accessToken = 'demo-access-token',
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const inputs = {
    accessToken,
    brand: operations.listVehicles.parameters[0].rule.enum[0],
    startDate: basicDate(-7),
    endDate: basicDate(0),
  };
  const args = [
    'respect',
    'workflows/consent-life-cycle.arazzo.yaml',
    '--server',
    `service=${address}`,
    '--input',
    JSON.stringify(inputs),
  ];
  return new Promise((resolve) => {
    const folder = `${repository}/openapi`;
    execFile(
      `${folder}/node_modules/.bin/redocly`,
      args,
      { cwd: folder, timeout: 50_000, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : 1, output: `${stdout}${stderr}` });
      },
    );
  });
}

test.for(['sandbox', 'proxy'] as const)('the consent life cycle runs as described against the %s', async (name) => {
  const { exitCode, output } = await respect(service[name].address);
  expect(output).toMatch(/Workflows: 1 passed, 1 total/);
  expect(output).toMatch(/Steps: 9 passed, 9 total/);
  expect(exitCode).toBe(0);
});

test('the workflow fails when the service does not do as described', async () => {
  const { exitCode, output } = await respect(service.sandbox.address, 'not-a-token');
  expect(output).toMatch(/Workflows: 1 failed, 1 total/);
  expect(exitCode).toBe(1);
});
