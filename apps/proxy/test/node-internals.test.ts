import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../runtimes/node-internals.js', import.meta.url));

/** The Node of the system beside that of the workspace: in CI, each version that the proxy promises. */
const systemNode = process.env['PATH']
  ?.split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);

if (systemNode === undefined) console.log('not tried on the Node of the system: there is none on the PATH');
const nodes = [{ name: 'the Node of the workspace', path: process.execPath }];
if (systemNode !== undefined) nodes.push({ name: 'the Node of the system', path: systemNode });

it.for(nodes)('the internals of Node that the server uses are there on $name', async ({ path }) => {
  const { stdout } = await promisify(execFile)(path, [script], { timeout: 60_000 });
  expect(stdout.trim().split('\n')).toHaveLength(5);
});
