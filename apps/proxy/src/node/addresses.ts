/** An address as it stands in a URL. */
export function shownHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/**
 * Listens, and says in the words of the settings when that is not possible.
 *
 * @throws {Error} with a line for the operator
 */
export async function listenOn<T>(portName: string, hostName: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw new Error(
      busy ? `${portName}: the port is already in use` : `${hostName}, ${portName}: this address cannot be listened on`,
    );
  }
}
