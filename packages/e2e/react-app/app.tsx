// The trips of a week in React, with the query options of the SDK. `test/browser.test.ts` opens it in Chromium.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createVehicleDataClient, isVehicleDataError } from '@vehicle-data/client';
import { vehicleQueries } from '@vehicle-data/client/query';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// The server of this page forwards /v1 to the proxy and adds the access token, so that the page holds none.
const client = createVehicleDataClient({ baseUrl: location.origin, brand: 'brand_a', accessToken: null });
const queries = vehicleQueries(client, ['vehicle-data', 'user-7', 'brand_a']);
const week = { startDate: '20260302', endDate: '20260308', zoneId: 'Europe/Berlin' };

function App() {
  const { data, error } = useQuery(queries.listVehicles());
  const [vin, setVin] = useState<string>();
  if (error) return <Failure error={error} />;
  return (
    <main>
      {data?.vehicles.map((vehicle) => (
        <button key={vehicle.vin} type="button" onClick={() => setVin(vehicle.vin)}>
          {vehicle.vin}
        </button>
      ))}
      {vin !== undefined && <Trips vin={vin} />}
    </main>
  );
}

function Trips({ vin }: { readonly vin: string }) {
  const { data, error } = useQuery(queries.getDrivingData({ vin, ...week }));
  if (error) return <Failure error={error} />;
  if (!data) return <p>Loading …</p>;
  return (
    <table>
      <tbody>
        {data.trips.map(({ triggerStartTime, tripLength }) => (
          <tr key={triggerStartTime}>
            <td>{triggerStartTime}</td>
            <td>{tripLength}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Failure({ error }: { readonly error: Error }) {
  const hasEnded = isVehicleDataError(error) && error.resolution === 'ask-consent';
  return <p role="alert">{hasEnded ? 'The owner no longer shares this vehicle.' : error.message}</p>;
}

const root = document.querySelector('#app');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
