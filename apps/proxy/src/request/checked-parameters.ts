import type { ServedOperation } from '../config.js';

/** The parameters of a request after its check. */
export interface CheckedParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A header parameter by its name in the contract, and as it goes on the wire. */
export interface HeaderParameter {
  readonly name: string;
  readonly lowerCase: string;
}

/** What is asked of an operation's parameters at every call, looked up in the contract once. */
export interface ParametersOf {
  readonly headers: readonly HeaderParameter[];
  /** Path and query of the upstream request, from the template and the checked values, in the contract's order. */
  readonly target: (checked: CheckedParameters) => string;
  /** The brand, or empty when the operation names none. */
  readonly brand: (checked: CheckedParameters) => string;
  /** The VIN, or empty when the call names none. */
  readonly vehicle: (checked: CheckedParameters) => string;
}

/** Looks up the parameters of an operation. */
export function parametersOf(operation: ServedOperation): ParametersOf {
  const headers = operation.parameters.filter(({ in: place }) => place === 'header');
  return {
    headers: headers.map(({ name }) => ({ name, lowerCase: name.toLowerCase() })),
    target: targetBuilder(operation),
    brand: valueReader(operation, 'Brand'),
    vehicle: valueReader(operation, 'Vin'),
  };
}

/** Reads the parameter that a component schema describes. */
function valueReader(operation: ServedOperation, schema: string): (checked: CheckedParameters) => string {
  const parameter = operation.parameters.find((candidate) => candidate.schema === schema);
  if (parameter === undefined) return () => '';
  const { name } = parameter;
  const place = parameter.in === 'header' ? 'headers' : parameter.in;
  return (checked) => checked[place][name] ?? '';
}

function targetBuilder({ path, parameters }: ServedOperation): (checked: CheckedParameters) => string {
  // Text and names take turns.
  const [start = '', ...rest] = path.split(/\{([^}]+)\}/);
  const query = parameters.filter(({ in: place }) => place === 'query');
  const named = query.map(({ name }) => ({ name, text: `${encodeURIComponent(name)}=` }));
  return (checked) => {
    let target = start;
    for (let index = 0; index < rest.length; index += 2)
      target += encodeURIComponent(checked.path[rest[index] ?? ''] ?? '') + (rest[index + 1] ?? '');
    let before = '?';
    for (const { name, text } of named) {
      const value = checked.query[name];
      if (value === undefined) continue;
      target += before + text + encodeURIComponent(value);
      before = '&';
    }
    return target;
  };
}
