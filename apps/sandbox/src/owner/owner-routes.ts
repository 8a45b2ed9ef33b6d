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
import { confirmationPage, type OwnedVehicle, vehiclesPage } from './owner-page.js';
import { accounting, type OwnerAccounting, type Reads } from './reads.js';
import { type OwnerReceipt, readReceipts } from './receipts.js';

const withdrawalMs = 30_000;
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

  const ownVehicle = async (form: Promise<string>): Promise<FleetVehicle | undefined> => {
    const vehicle = fleet.find(new URLSearchParams(await form).get('vin') ?? '');
    return vehicle?.owner === demoOwner ? vehicle : undefined;
  };
  const allReceipts = async () => readReceipts((await sources.receipts?.()) ?? []);

  async function accountingOf(vin: string): Promise<OwnerAccounting> {
    const text = await sources.who?.(vin);
    return text === undefined ? reads.of(vin) : v.parse(accounting, JSON.parse(text));
  }

  async function ownedVehicle(vehicle: FleetVehicle, receipts: readonly OwnerReceipt[]): Promise<OwnedVehicle> {
    const { vin, nickname, sellname, brand } = vehicle;
    const known = await accountingOf(vin);
    const own = receipts.filter((each) => each.pii_principal_id === known.vehicle && each.brand === brand);
    return { vin, nickname, model: sellname, brand, consent: consents.of(vin), accounting: known, receipts: own };
  }

  app.get('/', async (c) => {
    const receipts = await allReceipts();
    const vehicles = [...fleet].filter(({ owner }) => owner === demoOwner);
    const shown: OwnedVehicle[] = [];
    // One after the other: each can be a program that reads a whole log.
    for (const vehicle of vehicles) shown.push(await ownedVehicle(vehicle, receipts));
    return c.html(vehiclesPage(shown, failures[c.req.query('problem') ?? ''] ?? null));
  });

  app.post('/confirm', async (c) => {
    const vehicle = await ownVehicle(c.req.text());
    return vehicle === undefined ? c.redirect('/owner', 303) : c.html(confirmationPage(vehicle));
  });

  app.post('/withdraw', async (c) => {
    const vehicle = await ownVehicle(c.req.text());
    const problem = vehicle === undefined ? '' : await withdraw(vehicle);
    return c.redirect(problem === '' ? '/owner' : `/owner?problem=${problem}`, 303);
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

  app.get('/receipts/:record', async (c) => {
    const found = (await allReceipts()).find(({ record_id }) => record_id === c.req.param('record'));
    if (found === undefined) return reject(c, 'there is no such receipt', 404);
    const headers = {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="receipt.json"',
    };
    return c.body(found.text, 200, headers);
  });
  return app;
}
