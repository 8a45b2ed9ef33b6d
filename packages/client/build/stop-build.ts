/** Stops the build at something in the contract that this generator does not understand. */
export function stopBuild(pointer: string, reason: string): never {
  throw new Error(`openapi/dist/openapi.json#${pointer}: ${reason}`);
}

/** Where an operation is in the bundle, for messages. */
export function operationPointer(operation: { readonly path: string; readonly method: string }): string {
  return `/paths/${operation.path.replaceAll('~', '~0').replaceAll('/', '~1')}/${operation.method.toLowerCase()}`;
}
