import { typedError } from './client-error.js';

// V8 and JavaScriptCore have it; the types of browsers do not know it.
const {
  captureStackTrace,
}: Pick<ErrorConstructor, 'prototype'> & {
  readonly captureStackTrace?: (error: Error) => void;
} = Error;

/**
 * Runs a call. Its errors are errors of this package, and their stack shows the user code that awaits the call: without
 * this it would end at a timer or a socket.
 */
export async function withUserStack<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const failure = typedError(error);
    captureStackTrace?.(failure);
    throw failure;
  }
}
