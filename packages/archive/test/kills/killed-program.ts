// A program that says what it does, line by line, and is killed after one of its lines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { disk } from '../../src/file-layer.ts';
import type { FileLayer } from '../../src/index.ts';

/** The disk, saying each step. What a program has said before it is killed is not lost: pipes are written at once. */
export function toldFiles(say: (line: string) => void): FileLayer {
  return new Proxy(disk, {
    get: (target, name) => {
      say(String(name));
      return Reflect.get(target, name);
    },
  });
}

export const sayLine = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Runs a program, to its end or until it is killed: as soon as this process has seen so many lines, when the program is some steps further.
 *
 * @returns the lines that it said
 * @throws Error where it fails
 */
export async function runKilled(words: readonly string[], atLine: number) {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (lines.push(line) === atLine) child.kill('SIGKILL');
  });
  const [code, signal] = await once(child, 'close');
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`${words.join(' ')} failed with ${code}`);
  return { wasKilled: signal === 'SIGKILL', lines };
}
