import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OperationId, operations } from '@vehicle-data/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const contract = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@vehicle-data/openapi/openapi.json')), 'utf8'),
);
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addFormat('basic-date', /^[0-9]{8}$/);
ajv.addFormat('iana-time-zone', true);
ajv.addSchema(contract, 'contract');

const compiled = new Map<string, ValidateFunction>();

/** What an independent validator finds wrong with a response of an operation; nothing if it is as the contract says. */
export function violations(id: OperationId, status: number, body: unknown): readonly string[] {
  const responses: Readonly<Record<string, string>> = operations[id].responses;
  const schema = responses[String(status)];
  if (schema === undefined) return [`the contract has no response of status ${status}`];
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `contract#/components/schemas/${schema}` });
    compiled.set(schema, validate);
  }
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
