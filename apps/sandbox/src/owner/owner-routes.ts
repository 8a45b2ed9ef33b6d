// Everything under `/owner`: what an owner sees of an application that reads the data, and the withdrawal.
import { operations } from '@vehicle-data/openapi';
import { Hono } from 'hono';
import * as v from 'valibot';
import { reject, type ServiceEnv } from '../call.js';
import { isForeign } from '../control/control.js';
import { demoOwner, type FleetVehicle } from '../fleet/vehicles.js';
import type { OwnerSources } from '../options.js';
import { demoAccessToken } from '../tokens.js';
import type { World } from '../world.js';
import { addressOf, confirmationPage, type OwnedVehicle, vehiclesPage } from './owner-page.js';
import { accounting, type OwnerAccounting, type Reads } from './reads.js';
import { type OwnerReceipt, readReceipts } from './receipts.js';

const withdrawalMs = 30_000;
/** Vehicles on a page: each can be a program that reads a whole log. */
const vehiclesOnPage = 10;
const failures: Readonly<Record<string, string>> = {
  failed:
    'It is not known whether the vehicle still shares its data: the withdrawal got no response, or none that says so. Look at its state below, and try again.',
  rejected: 'The withdrawal was rejected. The vehicle shares its data as before.',
};

export function createOwnerRoutes({ consents, fleet }: World, reads: Reads, sources: OwnerSources): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.use(async (c, next) => {
    if (isForeign(c.req.raw)) reject(c, 'pages of other origins cannot use the page of an owner', 403);
    await next();
    c.header('cache-control', 'no-store');
    // Not no-referrer: with it, a form has no origin that can be compared.
    c.header('referrer-policy', 'same-origin');
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  /** What a form names: a vehicle, if it is one of the owner, and the page that it is on. */
  async function formOf(text: Promise<string>): Promise<{ vehicle: FleetVehicle | undefined; page: number }> {
    const form = new URLSearchParams(await text);
    const vehicle = fleet.find(form.get('vin') ?? '');
    return { vehicle: vehicle?.owner === demoOwner ? vehicle : undefined, page: pageNumber(form.get('page')) };
  }

  async function receiptsOf(brand: string, vehicle: string): Promise<readonly OwnerReceipt[]> {
    if (!/^[\w-]{1,64}$/.test(brand) || !/^[0-9a-f]{32}$/.test(vehicle)) return [];
    const found = readReceipts((await sources.receipts?.(brand, vehicle)) ?? []);
    return found.filter((each) => each.pii_principal_id === vehicle && each.brand === brand);
  }

  async function accountingOf(vin: string): Promise<OwnerAccounting> {
    const text = await sources.who?.(vin);
    return text === undefined ? reads.of(vin) : v.parse(accounting, JSON.parse(text));
  }

  async function ownedVehicle(vehicle: FleetVehicle): Promise<OwnedVehicle> {
    const { vin, nickname, sellname, brand } = vehicle;
    const known = await accountingOf(vin);
    const receipts = await receiptsOf(brand, known.vehicle);
    return { vin, nickname, model: sellname, brand, consent: consents.of(vin), accounting: known, receipts };
  }

  app.get('/', async (c) => {
    const page = pageNumber(c.req.query('page'));
    const { vehicles, hasMore } = vehiclesOf(fleet, page);
    const shown: OwnedVehicle[] = [];
    // One after the other: each can be a program.
    for (const vehicle of vehicles) shown.push(await ownedVehicle(vehicle));
    return c.html(vehiclesPage(shown, { page, hasMore, problem: failures[c.req.query('problem') ?? ''] ?? null }));
  });

  app.post('/confirm', async (c) => {
    const { vehicle, page } = await formOf(c.req.text());
    return vehicle === undefined ? c.redirect(addressOf(page), 303) : c.html(confirmationPage(vehicle, page));
  });

  app.post('/withdraw', async (c) => {
    const { vehicle, page } = await formOf(c.req.text());
    const problem = vehicle === undefined ? '' : await withdraw(vehicle);
    return c.redirect(addressOf(page, problem), 303);
  });

  /** Through the proxy where there is one, so that it fences the vehicle and notifies others. Returns the problem, or an empty text. */
  async function withdraw(vehicle: FleetVehicle): Promise<string> {
    if (sources.proxyUrl === undefined) {
      await consents.setAll([vehicle], 'withdrawn');
      return '';
    }
    const { method, path } = operations.stopDataSharing;
    const url = new URL(`${path}?${new URLSearchParams({ vin: vehicle.vin })}`, sources.proxyUrl);
    const headers = { brand: vehicle.brand, authorization: `Bearer ${demoAccessToken}` };
    try {
      const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(withdrawalMs) });
      if (response.ok) return '';
      // A response of 5xx does not say whether the service has seen the withdrawal.
      return response.status < 500 ? 'rejected' : 'failed';
    } catch {
      return 'failed';
    }
  }

  app.get('/receipts/:brand/:vehicle/:record', async (c) => {
    const { brand, vehicle, record } = c.req.param();
    const found = (await receiptsOf(brand, vehicle)).find(({ record_id }) => record_id === record);
    if (found === undefined) return reject(c, 'there is no such receipt', 404);
    const headers = {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="receipt.json"',
    };
    return c.body(found.text, 200, headers);
  });
  return app;
}

/** From 1; whatever is no such number is 1. */
const pageNumber = (text: string | null | undefined) => (/^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : 1);

/** The vehicles of a page, without making those that come after it. */
function vehiclesOf(fleet: World['fleet'], page: number) {
  const vehicles: FleetVehicle[] = [];
  let before = (page - 1) * vehiclesOnPage;
  for (const vehicle of fleet) {
    if (vehicle.owner !== demoOwner || before-- > 0) continue;
    if (vehicles.length === vehiclesOnPage) return { vehicles, hasMore: true };
    vehicles.push(vehicle);
  }
  return { vehicles, hasMore: false };
}
