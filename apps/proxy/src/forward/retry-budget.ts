/**
 * How many calls may be sent a second time: one for every ten calls, and a reserve of ten for quiet times. Without a budget,
 * retries would double the load of a service just when it fails.
 */
export class RetryBudget {
  static readonly #reserve = 10;
  static readonly #perCall = 0.1;
  #tokens = RetryBudget.#reserve;

  /** Notes a first attempt. */
  earn(): void {
    this.#tokens = Math.min(RetryBudget.#reserve, this.#tokens + RetryBudget.#perCall);
  }

  /** Takes one retry out of the budget, when there is one. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
