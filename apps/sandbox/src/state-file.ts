import { accessSync, closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StateStore } from './state.js';

/** A mistake on the command line or in its surroundings, told in one line. */
export class StartError extends Error {}

/** Keeps a text in a file: written beside it, forced to the disk, then renamed over it, so that the file is whole at any moment. */
export function stateFile(path: string): StateStore {
  return {
    load() {
      try {
        accessSync(dirname(path), constants.W_OK);
      } catch (error) {
        throw new StartError(`the folder of the state file cannot be written (${codeOf(error)})`);
      }
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw new StartError(`the state file cannot be read (${codeOf(error)})`);
      }
    },
    save(text) {
      const temporary = `${path}.tmp`;
      const file = openSync(temporary, 'w', 0o600);
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
      const folder = openSync(dirname(path), 'r');
      try {
        fsyncSync(folder);
      } finally {
        closeSync(folder);
      }
    },
  };
}

/** The code of a system error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
