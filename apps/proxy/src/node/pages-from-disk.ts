import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page, Pages } from '../pages.js';

const pieceBytes = 65_536;

function fileStream(path: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  let file: Awaited<ReturnType<typeof open>> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        file ??= await open(path);
        const { bytesRead, buffer } = await file.read(new Uint8Array(pieceBytes), 0, pieceBytes);
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        await file.close();
        controller.close();
      },
      cancel: () => file?.close(),
    },
    { highWaterMark: 0 },
  );
}

function page(specifier: string, contentType: string): Page {
  const path = fileURLToPath(import.meta.resolve(specifier));
  return { contentType, body: () => fileStream(path) };
}

/** The pages of the contract package, read from disk piece by piece for each reader. */
export function pagesFromDisk(): Pages {
  return {
    docs: page('@vehicle-data/openapi/docs', 'text/html; charset=utf-8'),
    contract: page('@vehicle-data/openapi/openapi.json', 'application/json'),
  };
}
