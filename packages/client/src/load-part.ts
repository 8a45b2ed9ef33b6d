import { clientError, type FailedCall } from './client-error.js';

/** A part of this package that is loaded when it is needed. Bundlers make a file of its own of it. */
export function loadPart<Part>(call: FailedCall, part: Promise<Part>): Promise<Part> {
  return part.catch((cause: unknown) => {
    throw clientError(call, 'connection-failed', 'a part of this package could not be loaded', { cause });
  });
}
