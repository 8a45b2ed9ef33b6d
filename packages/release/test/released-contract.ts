import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { redocly } from '../../../openapi/build/bundle.ts';
import { ContractCopy } from '../../../openapi/test/contract-copy.ts';

let bundled: Promise<string> | undefined;

/** The contract as one file. It is the same for every test of a file, so it is made once. */
async function bundleOnce({ folder }: ContractCopy): Promise<string> {
  await redocly(folder, 'bundle', 'openapi.yaml', '--output', 'dist/bundle.yaml');
  return readFile(join(folder, 'dist/bundle.yaml'), 'utf8');
}

/** A repository with the contract and nothing else, released as it stands, with no pending changeset. */
export async function releasedContract() {
  const contract = await ContractCopy.create();
  const folder = dirname(contract.folder);
  await mkdir(join(folder, '.changeset'));
  await mkdir(join(contract.folder, 'released'), { recursive: true });
  bundled ??= bundleOnce(contract);
  await writeFile(join(contract.folder, 'released/openapi.yaml'), await bundled);
  return {
    folder,
    edit: (file: string, from: string, to: string) => contract.edit(file, from, to),
    /** The line of a file of the contract on which a text starts. */
    async lineOf(file: string, text: string): Promise<number> {
      const [before = ''] = (await readFile(join(contract.folder, file), 'utf8')).split(text);
      return before.split('\n').length;
    },
    changeset: (type: 'patch' | 'minor' | 'major') =>
      writeFile(join(folder, `.changeset/${type}.md`), `---\n'@vehicle-data/openapi': ${type}\n---\n\nA change.\n`),
  };
}
