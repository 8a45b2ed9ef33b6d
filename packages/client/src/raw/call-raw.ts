import type { Settings } from '../call/call.js';
import { perform } from '../call/perform-call.js';
import { errorResponses } from '../call/response-error.js';
import { withOptions } from '../call/settings.js';
import { argumentError } from '../call-error.js';
import { checkParameters } from '../checks/parameters.js';
import { checkValues, isObject, membersOf, must } from '../checks/rules.js';
import { isVehicleDataError } from '../errors.js';
import { operations } from '../generated/operations.js';

const anObject = must('an object', isObject);
const places = { path: anObject, query: anObject };

/** A call by method and path template, whose error envelope is a result. */
export async function callRaw(
  settings: Settings,
  method: string,
  path: unknown,
  init: unknown,
): Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }> {
  const { params = {}, ...options } = membersOf(init ?? {}) ?? { init };
  // Of a method that widens an effect, only the narrow form can be reached.
  const operation = operations.find((one) => one.method === method && one.path === path && !one.isConfirmed);
  if (!operation) throw argumentError(settings, `raw.${method}: path must be one of the contract`, 'path');
  const target = { ...settings, operation: { ...operation, name: `raw.${method}` } };
  const { path: inPath, query } = checkValues<Record<string, unknown>>(target, 'params', places, params);
  // Where a parameter is makes no difference.
  const checked = checkParameters(target, { ...membersOf(inPath), ...membersOf(query) });
  try {
    const { body, response } = await perform(withOptions(target, options), checked);
    return { data: body, response };
  } catch (error) {
    const response = isVehicleDataError(error) && errorResponses.get(error);
    if (!response) throw error;
    return response;
  }
}
