import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const blockBytes = 512;

/** A text field of a tar header, ended by a zero byte (POSIX pax interchange format, ustar header). */
function field(block: Buffer, start: number, length: number): string {
  const text = block.subarray(start, start + length).toString('utf8');
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** The files of an npm tarball by their path below `package/`. Stops at anything but plain files and folders. */
export async function readTarball(file: string): Promise<ReadonlyMap<string, Buffer>> {
  const bytes = await promisify(gunzip)(await readFile(file));
  const files = new Map<string, Buffer>();
  for (let at = 0; at + blockBytes <= bytes.length; ) {
    const header = bytes.subarray(at, at + blockBytes);
    const name = [field(header, 345, 155), field(header, 0, 100)].filter((part) => part !== '').join('/');
    if (name === '') break;
    const size = Number.parseInt(field(header, 124, 12).trim(), 8);
    const type = field(header, 156, 1);
    if (type === '0' || type === '') {
      if (!name.startsWith('package/')) throw new Error(`${file} holds ${name}, which is not below package/`);
      files.set(name.slice('package/'.length), bytes.subarray(at + blockBytes, at + blockBytes + size));
    } else if (type !== '5') {
      throw new Error(`${file} holds ${name} of type ${type}; only files and folders are expected`);
    }
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}
