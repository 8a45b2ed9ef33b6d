/** Counts the requests that each client has in flight, from its authentication to the end of its responses. */
export class ClientsInFlight {
  readonly #counts = new Map<string, number>();

  /** Counts one more; `false`, and nothing is counted, when the client has as many as it may. @param id of the client */
  enter(id: string, max: number): boolean {
    const count = this.#counts.get(id) ?? 0;
    if (count >= max) return false;
    this.#counts.set(id, count + 1);
    return true;
  }

  leave(id: string): void {
    const left = (this.#counts.get(id) ?? 1) - 1;
    if (left === 0) this.#counts.delete(id);
    else this.#counts.set(id, left);
  }

  /** The most that one client has in flight. */
  get most(): number {
    return Math.max(0, ...this.#counts.values());
  }
}
