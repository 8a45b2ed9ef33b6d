// Says in one line what this machine lacks, before anything is installed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const oldestNode = [20, 19];
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * Names the first thing that this machine lacks.
 * @returns {string | undefined}
 */
export function missingTool() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return `Node ${oldestNode.join('.')} or later is needed; this is ${process.versions.node}`;
  }
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) return `this workspace builds on ${platforms.join(', ')}; this is ${platform}`;
  for (const tool of ['npx', 'git']) {
    if (spawnSync(tool, ['--version']).status !== 0) return `${tool} is needed and was not found on the PATH`;
  }
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = missingTool();
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 1;
  }
}
