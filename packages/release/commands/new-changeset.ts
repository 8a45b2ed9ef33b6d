// Asks what a change means for users and writes the changeset: `npm run new-changeset`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { changesetFile, touchedPackages } from '../src/changeset-answers.ts';
import { contractSemverGate } from '../src/contract-gate/semver-gate.ts';
import { run } from '../src/run.ts';
import { publishedPackages, repositoryFolder } from '../src/workspace.ts';

const packages = await publishedPackages(repositoryFolder);
const names = packages.map(({ manifest }) => manifest.name);
const changed = await run('git', ['diff', '--name-only', 'main...HEAD'], { cwd: repositoryFolder });
const status = await run('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: repositoryFolder });
const files = [...changed.stdout.split('\n'), ...status.stdout.split('\n').map((line) => line.slice(3))];
const touched = touchedPackages(files, packages);

const { compared, required } = await contractSemverGate(repositoryFolder);
if (compared && required !== 'none') {
  console.log(`The contract has changed since its last release; its changeset must be at least ${required}.`);
}
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const lines = terminal[Symbol.asyncIterator]();
async function ask(question: string): Promise<string> {
  process.stdout.write(`${question} `);
  const { value, done } = await lines.next();
  if (done) throw new Error('the questions were not answered');
  return String(value).trim();
}
const yes = (answer: string) => /^y(es)?$/i.test(answer);

try {
  console.log(`Packages: ${names.map((name, index) => `${index + 1} ${name}`).join(', ')}`);
  const chosen = await ask(`Whose users notice this change? (numbers; empty: ${touched.join(', ') || 'none'})`);
  const breaks = yes(await ask('Does anything stop working, or work otherwise, for someone who only updates? (y/N)'));
  const adds = !breaks && yes(await ask('Can users do something that they could not do before? (y/N)'));
  const text = await ask('What changes for a user? Name the option or member, and say what to do about it:');
  const picked = chosen.split(/[\s,]+/).flatMap((number) => names[Number(number) - 1] ?? []);
  const { name, content } = changesetFile({ packages: chosen === '' ? touched : picked, breaks, adds, text });
  await writeFile(join(repositoryFolder, '.changeset', name), content, { flag: 'wx' });
  console.log(`\nwrote .changeset/${name}\n\n${content}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  terminal.close();
}
