// Writes the bundle that a release carries to released/, against which later changes of the contract are rated, and beside it
// what it changed in the one before, which the docs of that release tell.
import { access, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { redocly } from './bundle.ts';
import { compareContracts } from './contract-diff/compare.ts';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const [released, next] = ['released/openapi.yaml', 'released/next.yaml'];
await redocly(folder, 'bundle', 'openapi.yaml', '--output', next);
const isFirst = await access(`${folder}/${released}`).then(
  () => false,
  () => true,
);
if (!isFirst) {
  const comparison = await compareContracts(folder, released, next);
  await writeFile(`${folder}/released/changes.json`, `${JSON.stringify(comparison, null, 2)}\n`);
}
await rename(`${folder}/${next}`, `${folder}/${released}`);
