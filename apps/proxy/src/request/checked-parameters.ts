import type { ServedOperation } from '../config.js';

/** The parameters of a request after its check. */
export interface CheckedParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What is asked of an operation's parameters at every call, looked up in the contract once. */
export interface ParametersOf {
  /** Names of the header parameters, in the contract and as they go on the wire. */
  readonly headers: readonly { readonly name: string; readonly lowerCase: string }[];
  /** Path and query of the upstream request, from the template and the checked values, in the contract's order. */
  readonly target: (checked: CheckedParameters) => string;
  /** The brand, or empty when the operation names none. */
  readonly brand: (checked: CheckedParameters) => string;
  /** The VIN, or empty when the call names none. */
  readonly vehicle: (checked: CheckedParameters) => string;
}

/** Looks up the parameters of an operation. */
export function parametersOf({ path, parameters }: ServedOperation): ParametersOf {
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  // Text and names take turns.
  const [start = '', ...rest] = path.split(/\{([^}]+)\}/);
  const query = namesIn('query').map((name) => ({ name, text: `${encodeURIComponent(name)}=` }));
  /** Reads the parameter that a component schema describes. */
  const readerOf = (schema: string) => {
    const parameter = parameters.find((each) => each.schema === schema);
    if (parameter === undefined) return () => '';
    const place = parameter.in === 'header' ? 'headers' : parameter.in;
    return (checked: CheckedParameters) => checked[place][parameter.name] ?? '';
  };
  return {
    headers: namesIn('header').map((name) => ({ name, lowerCase: name.toLowerCase() })),
    brand: readerOf('Brand'),
    vehicle: readerOf('Vin'),
    target(checked) {
      let target = start;
      for (let index = 0; index < rest.length; index += 2)
        target += encodeURIComponent(checked.path[rest[index] ?? ''] ?? '') + (rest[index + 1] ?? '');
      let before = '?';
      for (const { name, text } of query) {
        const value = checked.query[name];
        if (value === undefined) continue;
        target += before + text + encodeURIComponent(value);
        before = '&';
      }
      return target;
    },
  };
}
