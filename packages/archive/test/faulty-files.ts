import { disk, type FileLayer } from '../src/file-layer.js';

/** What happens at one step of a file layer. */
export type Fault = 'crash' | 'ENOSPC';

/** The disk, with a fault at one step. After a crash every further step fails, and what was being written is cut. */
export function faultyFiles(at: number, fault: Fault): { readonly files: FileLayer; readonly steps: () => number } {
  let step = 0;
  let isDown = false;
  const around =
    <Args extends readonly unknown[], Result>(
      run: (...args: Args) => Promise<Result>,
      cut?: (...args: Args) => Promise<unknown>,
    ) =>
    async (...args: Args): Promise<Result> => {
      if (isDown) throw new Error('the process is gone');
      step += 1;
      if (step !== at) return run(...args);
      isDown = fault === 'crash';
      await cut?.(...args);
      throw Object.assign(new Error(fault), { code: fault, syscall: 'write' });
    };
  const half = (content: Uint8Array | string) => content.slice(0, content.length >> 1);
  const files: FileLayer = {
    makeFolder: around(disk.makeFolder),
    read: around(disk.read),
    size: around(disk.size),
    mode: around(disk.mode),
    list: around(disk.list),
    write: around(disk.write, (path, content, mode) => disk.write(path, half(content), mode)),
    writeExclusively: around(disk.writeExclusively),
    append: around(disk.append, (path, content) => disk.append(path, `${half(content)}`)),
    truncate: around(disk.truncate),
    rename: around(disk.rename),
    syncFolder: around(disk.syncFolder),
    remove: around(disk.remove),
    removeFolder: around(disk.removeFolder),
  };
  return { files, steps: () => step };
}
