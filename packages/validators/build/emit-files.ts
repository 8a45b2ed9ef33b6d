import type { OperationSpec } from '@vehicle-data/openapi';
import { type Place, readSchemas, type Schema } from '@vehicle-data/openapi/model';
import { emitOperations, emitOperationTypes, emitRequestTable, emitResponseTable } from './emit-operations.ts';
import { emitRules, ruleName } from './emit-rules.ts';

/** All that the generated files are made from. */
export interface Facts {
  /** The bundled contract. */
  readonly contract: Place;
  readonly operations: readonly OperationSpec[];
  /** The types of the contract, as TypeScript with an interface `components`. */
  readonly types: string;
  /** Every identifier of the time zone database. */
  readonly timeZones: readonly string[];
}

/** The source of every file of src/generated/, by name. */
export function emitFiles({ contract, operations, types, timeZones }: Facts): Readonly<Record<string, string>> {
  const schemas = readSchemas(contract);
  return {
    'types.ts': types,
    'rules.ts': emitRules(schemas),
    'schemas.ts': emitSchemas(schemas),
    'operation-types.ts': emitOperationTypes(operations, schemas),
    'operations.ts': emitOperations(operations, schemas),
    'request-validators.ts': emitRequestTable(operations),
    'response-rules.ts': emitResponseTable(operations),
    'time-zone-list.ts': `export const timeZoneList = ${JSON.stringify(timeZones.join(' '))};`,
  };
}

/** Writes the type, the validator and the type guard of every component schema. */
function emitSchemas(schemas: ReadonlyMap<string, Schema>): string {
  return [
    `import { ${[...schemas.keys()].map(ruleName).join(', ')} } from './rules.js';`,
    `import type { components } from './types.js';`,
    `import type { Checked } from '../validation-result.js';`,
    `import { createValidator, passes, type Validator } from '../validator.js';`,
    ...[...schemas].flatMap(([name, schema]) => [
      '',
      `/** The component schema \`${name}\` of the contract. */`,
      // Text with a rule has a type of its own, which only a check gives; all else is the type of the contract.
      `export type ${name} = ${schema.kind === 'string' ? `Checked<'${name}'>` : `components['schemas']['${name}']`};`,
      `/** Checks the component schema \`${name}\` of the contract. */`,
      `export const ${name}: Validator<${name}> = /*#__PURE__*/ createValidator(${ruleName(name)});`,
      `/** Whether a value is a valid \`${name}\`. */`,
      `export function is${name}(value: unknown): value is ${name} {`,
      `  return passes(${ruleName(name)}, value);`,
      '}',
    ]),
  ].join('\n');
}
