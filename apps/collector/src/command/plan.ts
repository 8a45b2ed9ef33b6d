// `vds-collector plan`: lists the vehicles of each account, and says what collecting them takes.
import { reasonOf } from '../collect/failures.js';
import { createServices } from '../collect/service.js';
import type { Settings } from '../config/settings.js';
import { type Account, listAccounts } from '../ledger/accounts.js';
import type { Queries } from '../ledger/database.js';
import { makePlan, type Plan } from '../operate/plan.js';
import type { Outcome } from './receipts.js';

/** Makes the plan. Fetches no trips and changes nothing. The exit code says whether every list could be had. */
export async function runPlan(database: Queries, settings: Settings, asJson: boolean): Promise<Outcome> {
  const { brand, apiKey } = settings;
  const known = (await listAccounts(database)).filter(({ state }) => state === 'active');
  const accounts: readonly Account[] =
    known.length > 0 || brand === undefined ? known : [{ name: brand, brand, tokenFile: null }];
  const serviceOf = createServices(settings);
  const lists = [];
  const failures: string[] = [];
  for (const account of accounts) {
    let vehicles: number | undefined;
    try {
      vehicles = (await serviceOf(account).listVins(AbortSignal.timeout(60_000))).length;
    } catch (error) {
      failures.push(`The list of account ${account.name} failed: ${reasonOf(error)}\n`);
    }
    lists.push({ account: account.name, brand: account.brand, vehicles });
  }
  const plan = await makePlan(database, lists, { ...settings, hasKey: apiKey !== undefined, now: Date.now() });
  const text = asJson ? `${JSON.stringify(plan, null, 2)}\n` : failures.join('') + textOf(plan, settings);
  return { text, code: failures.length > 0 ? 1 : 0 };
}

function textOf(plan: Plan, { since, maxRate, everyMs }: Settings): string {
  const { accounts, vehicles, windowsOfVehicle, calls, days, callsADay, bytesOfWindow } = plan;
  const whole = (value: number) => Math.round(value).toLocaleString('en-US');
  const bytes =
    bytesOfWindow === undefined
      ? 'unknown until the first windows are collected'
      : `${sizeText(bytesOfWindow * calls)}, at ${whole(bytesOfWindow)} bytes a window`;
  const lines: readonly (readonly [string, string])[] = [
    ['accounts', `${accounts.length}, ${vehicles} vehicles`],
    ['windows of a vehicle', `${windowsOfVehicle} since ${since}, one call each`],
    ['calls', whole(calls)],
    ['time at the limit', `${timeText(days)}, at ${maxRate} calls/s for each account, or for an API key at a brand`],
    ['lake', bytes],
    ['after that', `${whole(callsADay)} calls a day, every ${everyMs / 60_000} minutes`],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join('');
}

const sizeText = (bytes: number) => (bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);
const timeText = (days: number) => {
  const minutes = days * 24 * 60;
  if (minutes < 120) return `${Math.max(1, Math.ceil(minutes))} min`;
  return days < 2 ? `${Math.ceil(days * 24)} h` : `${Math.ceil(days)} days`;
};
