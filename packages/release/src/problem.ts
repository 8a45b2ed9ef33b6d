/** One thing that keeps a release from going out: where it stands, what is wrong, and what fixes it. */
export interface Problem {
  /** A file with an optional line, such as `openapi/paths/v1_vehicles_consent.yaml:12`. */
  readonly place: string;
  readonly message: string;
}

/** The lines that a command prints for its problems. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ place, message }) => `${place}: ${message}`).join('\n');
}
