import * as zlib from 'node:zlib';
import type { Compressors as Decompressors } from 'hyparquet';
import type { ParquetWriteOptions } from 'hyparquet-writer';
import { snappyCompress } from './parquet-internals.js';

/** How the pages of Parquet files are compressed. An archive keeps the codec it began with. */
export type ParquetCodec = 'ZSTD' | 'SNAPPY';

/** `ZSTD` where Node has it (22.15 and later), else `SNAPPY`. */
export const bestCodec: ParquetCodec = 'zstdCompressSync' in zlib ? 'ZSTD' : 'SNAPPY';

/** The level at which zstd is fast and small enough. Trino cannot read levels above 19. */
const level = 3;

export const compressors: NonNullable<ParquetWriteOptions['compressors']> = {
  SNAPPY: snappyCompress,
  ...(bestCodec === 'ZSTD' && {
    ZSTD: (page) => zlib.zstdCompressSync(page, { params: { [zlib.constants.ZSTD_c_compressionLevel]: level } }),
  }),
};

/** A page says how large it is, so that no damaged file can ask for more memory than that. */
export const decompressors: Decompressors =
  bestCodec === 'ZSTD'
    ? { ZSTD: (page, outputLength) => zlib.zstdDecompressSync(page, { maxOutputLength: Math.max(1, outputLength) }) }
    : {};
