import { createVehicleDataClient } from '@vehicle-data/client';

const client = createVehicleDataClient({ baseUrl: 'https://vehicle-data.invalid' });
await client.getLocation({ vin: 17 });
