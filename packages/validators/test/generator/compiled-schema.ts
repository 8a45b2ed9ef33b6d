// Compiles a schema with the generator and loads the result, as the build does for the contract.
import { ContractPlace, type Json } from '../../build/contract-place.ts';
import { readSchemas } from '../../build/schema-model.ts';
import { createValidator } from '../../src/validator.js';
import { run, written } from './written-files.ts';

/** Reads component schemas as the generator does. */
export function read(schemas: Json) {
  return readSchemas(new ContractPlace(schemas, 'contract.json', '/components/schemas'));
}

/** Compiles component schemas and gives a function that lists what is wrong with a value: `pointer rule`. */
export async function compile(schemas: Json, name = 'Subject') {
  const files = written(schemas, []);
  const { [`check${name}`]: check = () => undefined } = await run('checks', files);
  const { validate } = createValidator(check);
  const issuesOf = (value: unknown) => {
    const result = validate(value, { maxIssues: 100 });
    return result.ok ? [] : result.issues;
  };
  return {
    source: files['checks.ts'] ?? '',
    issuesOf,
    faults: (value: unknown) => issuesOf(value).map(({ pointer, rule }) => `${pointer} ${rule}`),
  };
}
