// The sandbox in a container, for Testcontainers. It imports nothing: you pass in your own `GenericContainer`.

const port = 8788;

/** The part of a Testcontainers `GenericContainer` that is used here. */
export interface ConfigurableContainer {
  withExposedPorts(...ports: number[]): this;
  withCommand(command: string[]): this;
}

/** The part of a `StartedTestContainer` that is used here. */
export interface StartedContainer {
  getHost(): string;
  getMappedPort(port: number): number;
}

/** How the sandbox in the container is made. */
export interface SandboxContainerOptions {
  /** Draws another history of the fleet; 1 by default. */
  readonly seed?: number;
  /** How many vehicles there are; by default the 15 that the README lists. */
  readonly vehicles?: number;
}

/**
 * Configures a container of the sandbox's image.
 *
 * @example
 * const container = await sandboxContainer(new GenericContainer('vehicle-data-sandbox')).start();
 * const baseUrl = sandboxAddress(container);
 */
export function sandboxContainer<Container extends ConfigurableContainer>(
  container: Container,
  { seed, vehicles }: SandboxContainerOptions = {},
): Container {
  const command = ['--host', '0.0.0.0', '--port', String(port)];
  if (seed !== undefined) command.push('--seed', String(seed));
  if (vehicles !== undefined) command.push('--vehicles', String(vehicles));
  return container.withExposedPorts(port).withCommand(command);
}

/** The base address of a started container of the sandbox. */
export function sandboxAddress(container: StartedContainer): string {
  return `http://${container.getHost()}:${container.getMappedPort(port)}`;
}
