/** Takes a step. What it throws or rejects with is reported, and reaches nobody else. Returns `null` when it throws. */
export function attempt<T>(step: () => T, report: (error: unknown) => void = () => {}): T | null {
  try {
    const result = step();
    // An async function fits where its result is ignored.
    if (result instanceof Promise) result.catch(report);
    return result;
  } catch (error) {
    report(error);
    return null;
  }
}
