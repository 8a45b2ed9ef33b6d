/** Writes one line into the Worker's log. */
export function print(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the console is a Worker's log
  console.log(line);
}
