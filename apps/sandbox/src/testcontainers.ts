const port = 8788;

/** The part of a `GenericContainer` of Testcontainers that is used here, so that nothing is imported. */
export interface ConfigurableContainer {
  withExposedPorts(...ports: number[]): this;
  withCommand(command: string[]): this;
}

/**
 * Configures a container of the sandbox's image: `seed` draws another history, `vehicles` is the size of the fleet.
 *
 * @example
 * const container = await sandboxContainer(new GenericContainer('vehicle-data-sandbox')).start();
 * const baseUrl = sandboxAddress(container);
 */
export function sandboxContainer<Container extends ConfigurableContainer>(
  container: Container,
  options: { readonly seed?: number; readonly vehicles?: number } = {},
): Container {
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return container.withExposedPorts(port).withCommand(['--host', '0.0.0.0', '--port', String(port), ...given]);
}

/** The base address of a started container of the sandbox. */
export function sandboxAddress(container: { getHost(): string; getMappedPort(port: number): number }): string {
  return `http://${container.getHost()}:${container.getMappedPort(port)}`;
}
