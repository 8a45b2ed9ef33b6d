// What the program tells systemd: that it is ready, that it ends, and, where a watchdog is set, that it is alive.
import { execFile } from 'node:child_process';
import { say } from './terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Time without a sign of life after which systemd kills the program, in milliseconds; `null` without a watchdog. */
export function watchdogMs({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds }: Environment): number | null {
  const ms = Number(microseconds) / 1000;
  return socket && ms > 0 ? ms : null;
}

/** How often a sign of life is given, in milliseconds: twice could fail. */
export const beatMs = (timeoutMs: number) => timeoutMs / 3;

/** Tells systemd of the program, from the first process of a unit; does nothing elsewhere. */
export class ServiceManager {
  readonly #environment: Environment;
  #beats: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(environment: Environment = process.env) {
    this.#environment = environment;
  }

  /** All ports are open. Signs of life follow, as long as the event loop of this process runs. */
  ready(): void {
    this.#tell('READY=1');
    const timeoutMs = watchdogMs(this.#environment);
    if (timeoutMs !== null) this.#beats ??= setInterval(() => this.#tell('WATCHDOG=1'), beatMs(timeoutMs)).unref();
  }

  /** The program ends, which may take the time of the requests under way. */
  stopping(): void {
    this.#tell('STOPPING=1');
  }

  /** Node cannot send datagrams to a socket of this kind; the program that comes with systemd does. */
  #tell(state: string): void {
    const { NOTIFY_SOCKET, PATH } = this.#environment;
    if (!NOTIFY_SOCKET) return;
    execFile('systemd-notify', [state], { env: { NOTIFY_SOCKET, PATH }, timeout: 10_000 }, (error) => {
      if (error !== null && !this.#hasFailed)
        say('NOTIFY_SOCKET: systemd-notify cannot be run, so systemd is not told the state');
      this.#hasFailed = error !== null;
    });
  }
}
