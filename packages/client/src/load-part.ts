import { clientError, type FailedCall } from './client-error.js';

/** A part of this package that is loaded when it is first needed. Bundlers make a file of its own of it. */
export function lazyPart<Part>(load: () => Promise<Part>): (call: FailedCall) => Promise<Part> {
  let part: Promise<Part> | undefined;
  return (call) => {
    part ??= load().catch((cause: unknown) => {
      part = undefined;
      throw clientError(call, 'connection-failed', 'a part of this package could not be loaded', { cause });
    });
    return part;
  };
}
