/** Memory for young objects, in megabytes. Default of Node: 16 and more, which they fill again and again. */
const youngMegabytes = 2;

/**
 * Starts this program once more in the same process with less memory for young objects. What a call leaves behind is dead at once,
 * so a small space that stays in the processor's cache is enough: a fifth less processor time and half the memory. Node takes this
 * as a flag alone. Does nothing where the flag is set already or where a process cannot be replaced (Windows, Node before 22.15).
 */
export function keepYoungGenerationSmall(): void {
  const { execArgv, execPath, argv, env } = process;
  const decided = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((text) => text.includes('semi-space-size'));
  if (decided || process.platform === 'win32' || process.connected || typeof process.execve !== 'function') return;
  const flag = `--max-semi-space-size=${youngMegabytes}`;
  process.execve(execPath, [execPath, flag, ...execArgv, ...argv.slice(1)], env);
}
