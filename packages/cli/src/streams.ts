import type { Readable, Writable } from 'node:stream';

/** What a run of `vds` reads from and writes to. A test brings its own. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
  /** Ends the run: Ctrl-C. */
  readonly signal: AbortSignal;
}
