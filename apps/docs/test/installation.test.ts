import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isPublished, withCloneTabs } from '../build/installation.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const guide = (name: string) => readFile(`${repository}apps/docs/dist/guides/${name}.md`, 'utf8');

test('until the first release, what a clone can do comes before what npm cannot bring yet; after it, only npm is named', () => {
  const text = '```sh\nnpx @vehicle-data/proxy check --upstream https://vehicle-data.invalid\n```\n';
  expect(withCloneTabs(text, true)).toBe(text);
  const tabs = withCloneTabs(text, false);
  expect([...tabs.matchAll(/^```sh \[(.+)\]\n(.*)$/gm)].map(([, label, line]) => [label, line])).toEqual([
    ['In the clone', 'node_modules/.bin/node apps/proxy/dist/node.js check --upstream https://vehicle-data.invalid'],
    ['From npm, once published', 'npx @vehicle-data/proxy check --upstream https://vehicle-data.invalid'],
  ]);
  const other = '```sh\ncurl -s http://127.0.0.1:8787/healthz\n```\n';
  expect(withCloneTabs(other, false)).toBe(other);
});

test.for(['cli', 'collector', 'proxy', 'sandbox'])(
  'the command for a clone in the guide to the %s runs there',
  async (name) => {
    const [, command = ''] = /^```sh \[In the clone\]\n([\s\S]*?)^```$/m.exec(await guide(name)) ?? [];
    expect(command !== '').toBe(!isPublished());
    // Each program with `--help` in place of its arguments: it has to be there, and to start.
    for (const [, program = ''] of command.matchAll(/node_modules\/\.bin\/node (?:\$PWD\/)?(\S+?\.js)/g)) {
      const { stdout } = await promisify(execFile)(`${repository}node_modules/.bin/node`, [
        repository + program,
        '--help',
      ]);
      expect(stdout, program).toMatch(/--port|usage/i);
    }
  },
);
