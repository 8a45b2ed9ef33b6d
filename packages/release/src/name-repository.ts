import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspacePackage } from './workspace.ts';

/**
 * Writes into a manifest from which repository it is published, which a provenance statement has to agree with. Only the
 * CI that publishes knows the address, from its variables GITHUB_SERVER_URL and GITHUB_REPOSITORY; without them it throws.
 */
export async function nameRepository(
  { folder, path }: Pick<WorkspacePackage, 'folder' | 'path'>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  if (!server || !name) throw new Error('provenance needs the variables of the CI that publishes');
  const file = join(folder, 'package.json');
  const manifest: unknown = JSON.parse(await readFile(file, 'utf8'));
  const repository = { type: 'git', url: `git+${server}/${name}.git`, directory: path };
  await writeFile(file, `${JSON.stringify(Object.assign({}, manifest, { repository }), null, 2)}\n`);
}
