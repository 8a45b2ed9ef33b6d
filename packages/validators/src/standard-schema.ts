/** The interface of Standard Schema, version 1: https://standardschema.dev */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'vehicle-data';
    readonly validate: (value: unknown) => StandardResult<Output>;
    readonly types?: { readonly input: Output; readonly output: Output } | undefined;
  };
}

/** What Standard Schema gives back: the value, or issues with a path of keys and indexes. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[] };
