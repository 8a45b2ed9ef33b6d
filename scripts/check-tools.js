// Ends the process with one line about the first thing that this machine lacks, before anything is installed.
import { spawnSync } from 'node:child_process';

const oldestNode = [20, 19];
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** @type {(problem: string) => never} */
const stop = (problem) => {
  console.error(problem);
  process.exit(1);
};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = oldestNode;
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
  stop(`Node ${oldestNode.join('.')} or later is needed; this is ${process.versions.node}`);
const platform = `${process.platform}-${process.arch}`;
if (!platforms.includes(platform)) stop(`this workspace builds on ${platforms.join(', ')}; this is ${platform}`);
for (const tool of ['npx', 'git'])
  if (spawnSync(tool, ['--version']).status !== 0) stop(`${tool} is needed and was not found on the PATH`);
