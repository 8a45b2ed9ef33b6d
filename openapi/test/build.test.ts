import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractVersion } from '../src/index.js';
import { copyContract } from './contract-copy.ts';

test('a version other than that of the package stops the build with file and pointer', async () => {
  const copy = await copyContract();
  await copy.edit('openapi.yaml', '  version: ', '  version: 9');
  const place = 'openapi/openapi.yaml#/info/version';
  const reason = `must equal the package version ${contractVersion}; run "node build/stamp-version.ts"`;
  expect(await copy.build()).toEqual({ exitCode: 1, output: `${place}: ${reason}\n` });
});

test('a dated deprecation passes the lint and reaches the types, as what overlay.yaml beside the contract says does', async () => {
  const copy = await copyContract();
  const words = 'Deprecated since 2026-11-21, stays until 2027-11-21 at least; use something else.';
  const [vehicle, location] = ['components/schemas/Vehicle.yaml', 'paths/v1_vehicles_vin_locations.yaml'];
  await copy.edit(vehicle, 'description: Nickname', `deprecated: true\n    description: ${words} Nickname`);
  await copy.edit(location, '  summary:', '  deprecated: true\n  summary:');
  await copy.edit(location, 'description: >-\n', `description: >-\n    ${words}\n`);
  expect(await copy.lint()).toMatchObject({ exitCode: 0 });
  const brand = '$.components.schemas.Brand';
  await copy.overlay(
    { target: `${brand}['enum','examples']`, remove: true },
    { target: brand, update: { enum: ['aurora', 'nova'], examples: ['aurora'] } },
  );
  expect(await copy.build()).toMatchObject({ exitCode: 0 });
  const types = await readFile(join(copy.folder, 'src/generated/types.ts'), 'utf8');
  expect(types).toContain('"aurora" | "nova"');
  const comments = [...types.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([^\n]*)/g)];
  for (const member of [/^nickname\?/, /^getLocation\b|^get: operations\["getLocation"\]/]) {
    const [, comment] = comments.find(([, , line = '']) => member.test(line)) ?? [];
    expect(comment).toContain('@deprecated');
    expect(comment).toContain('Deprecated since 2026-11-21, stays until 2027-11-21');
  }
});
