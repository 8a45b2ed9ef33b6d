// An application: it keeps the last location of each vehicle, and an archive. An event makes it list the vehicles; what is no longer shared goes.
import { createHmac } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openArchive } from '@vehicle-data/archive';
import { createVehicleDataClient } from '@vehicle-data/client';
import { EventError, verifyEvent } from '@vehicle-data/client/events';

const setting = (name: string) => process.env[name] ?? '';
const [cache, archiveFolder] = [setting('APP_CACHE'), setting('APP_ARCHIVE')];
const client = createVehicleDataClient({
  baseUrl: setting('VDS_BASE_URL'),
  brand: 'brand_a',
  accessToken: 'demo-access-token',
});
/** A VIN is in the name of no file. */
const nameOf = (vin: string) => createHmac('sha256', setting('APP_KEY')).update(vin).digest('hex');

/** Lists the vehicles, and deletes what is held of the others. An error deletes nothing. */
async function look(): Promise<void> {
  const { vehicles } = await client.listVehicles();
  if (vehicles.length === 0) return;
  const shared = new Set(vehicles.map(({ vin }) => nameOf(vin)));
  for (const name of await readdir(cache)) if (!shared.has(name)) await rm(join(cache, name));
  await using archive = await openArchive({ folder: archiveFolder });
  await archive.reconcile({ brand: 'brand_a', vins: vehicles.map(({ vin }) => vin) });
}

/** One look at a time: the archive is open once. */
let looking = Promise.resolve();
const server = createServer(async (request, response) => {
  try {
    await verifyEvent({ headers: request.headers, body: await buffer(request) }, setting('VDS_EVENTS_SECRET'));
    looking = looking.catch(() => {}).then(look);
    await looking;
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof EventError ? 400 : 503).end();
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address instanceof Object) process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`);
});
