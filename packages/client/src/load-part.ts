import { callError, type FailedCall } from './client-error.js';
import { ConnectionError } from './errors.js';

/** A part of this package that is loaded when it is first needed. Bundlers make a file of its own of it. */
export function lazyPart<Part>(load: () => Promise<Part>): (call: FailedCall) => Promise<Part> {
  let part: Promise<Part> | undefined;
  return (call) => {
    part ??= load().catch((cause: unknown) => {
      part = undefined;
      const reason = 'a part of this package could not be loaded';
      throw callError(call, ConnectionError, 'connection-failed', 'retry', reason, { cause });
    });
    return part;
  };
}
