import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Lines of "How to release" that a rehearsal cannot follow, with what it does in their place. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm test': 'runs before the rehearsal, on the same files',
  'npm run rehearse-release': 'is this',
  'gh workflow run release.yml':
    'the commands of the workflow follow: publish-packages, changeset tag, git push --tags',
};

/** The commands of "How to release" in CONTRIBUTING.md, those left out with the reason. */
export async function writtenRelease(
  repository: string,
): Promise<readonly { readonly line: string; readonly leftOut?: string }[]> {
  const text = await readFile(join(repository, 'CONTRIBUTING.md'), 'utf8');
  const block = /^How to release:\n\n```sh\n([\s\S]*?)^```$/m.exec(text)?.[1];
  if (block === undefined) throw new Error('CONTRIBUTING.md does not say how to release');
  const lines = block.trim().split('\n');
  if (lines.length > 10) throw new Error('how to release takes more than ten lines');
  return lines.map((line) => {
    const leftOut = elsewhere[line];
    return leftOut === undefined ? { line } : { line, leftOut };
  });
}
