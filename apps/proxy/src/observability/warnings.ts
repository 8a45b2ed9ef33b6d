/** What an operator has to know of while the proxy keeps serving. */
type WarningName =
  | 'keys-file'
  | 'settings'
  | 'audit-log'
  | 'audit-reads'
  | 'audit-segments'
  | 'fence'
  | 'fence-full'
  | 'events'
  | 'events-queue'
  | 'receipts';

/**
 * Conditions that need an operator. The proxy keeps serving with what it had: readiness lists them, a metric counts them, and
 * each is logged when it begins and when it ends.
 */
export class Warnings {
  readonly #say: (line: string) => void;
  readonly #active = new Map<WarningName, string>();

  /** @param say writes a line to the log of the program */
  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Notes that a condition holds. @param line says what is wrong and what stays in use, without any value */
  raise(name: WarningName, line: string): void {
    if (this.#active.get(name) === line) return;
    this.#active.set(name, line);
    this.#say(line);
  }

  clear(name: WarningName): void {
    if (this.#active.delete(name)) this.#say(`${name}: good again`);
  }

  active(): readonly WarningName[] {
    return [...this.#active.keys()];
  }
}
