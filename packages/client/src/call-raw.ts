import { checkArguments, readMembers } from './check-arguments.js';
import { argumentError, typedError } from './client-error.js';
import type { Core } from './core.js';
import { operations } from './generated/operations.js';
import { errorResponses } from './service-error.js';

/** A call by method and path template, whose error envelope is a result. */
export async function callRaw(
  { settings, perform }: Core,
  method: string,
  path: unknown,
  init: unknown,
): Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }> {
  const { params, ...options } = readMembers(init ?? {}) ?? { init };
  const operation = operations.find((one) => one.method === method && one.path === path);
  if (!operation) throw argumentError({ settings }, `raw.${method}: path must be one of the contract`, 'path');
  const called = { settings, operation: { ...operation, name: `raw.${method}` } };
  const { path: inPath, query, header } = readMembers(params) ?? {};
  if (params !== undefined && !readMembers(params)) {
    throw argumentError(called, 'params must be an object', 'params');
  }
  // Where a parameter is makes no difference. The brand may be where openapi-fetch has headers.
  const checked = checkArguments(called, { ...readMembers(inPath), ...readMembers(query) });
  const brand = readMembers(header)?.['Brand'];
  try {
    const { body, response } = await perform(called.operation, checked, {
      ...options,
      ...(brand !== undefined && { brand: brand as never }),
    });
    return { data: body, response };
  } catch (error) {
    const failure = typedError(error);
    const response = errorResponses.get(failure);
    if (!response) throw failure;
    return response;
  }
}
