import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@vehicle-data/openapi';
import getPort from 'get-port';
import { loadCore, startPinned } from './processes.ts';

/** A size of response, a number of connections, and the request that gets it. */
export interface Workload {
  readonly bytes: number;
  readonly connections: number;
  readonly target: string;
  /** The body that every contender must pass, byte for byte. */
  readonly body: string;
}

/** A workload: up to 300 B it is the location call, above that a driving call of about that size. Both bodies are as the contract says. */
export function workload(bytes: number, connections: number): Workload {
  const vin = `BENCH${String(bytes).padStart(12, '0')}`;
  const isSmall = bytes <= 300;
  const range = '?startDate=20260101&endDate=20260107&zoneId=Asia%2FSeoul';
  const { getLocation, getDrivingData } = operations;
  const target = (isSmall ? getLocation.path : getDrivingData.path + range).replace('{vin}', vin);
  const value = Array.from({ length: bytes / 6 }, (_, index) => (1000 + (index % 9000)) / 10);
  const trip = { triggerStartTime: '2026-01-07T06:41:07.000Z', tripLength: value.length * 1000, odometer: { value } };
  const speed = { value: 63, unit: 'kph' };
  const location = { latitude: 52.5163, longitude: 13.3777, altitude: 36, heading: 271, speed, type: 0 };
  const data = isSmall ? { location, timestamp: '2026-01-08T10:15:29Z' } : { trips: [trip] };
  const meta = {
    code: 200,
    message: 'Success',
    success: 'true',
    timestamp: '2026-01-08T10:15:30.123Z',
    requestId: 'r',
  };
  return { bytes, connections, target, body: JSON.stringify({ data, meta }) };
}

/** The frame of both nginx servers of the bench: one process, nothing logged, connections kept. */
export function nginxFrame(folder: string, name: string, http: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${name}-${kind};`,
  );
  return `worker_processes 1; daemon off; master_process off; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log warn;
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 100000000; keepalive_timeout 600s; tcp_nodelay on; server_tokens off;
  ${temporary.join(' ')}
${http}
}
`;
}

/** Starts the upstream of a workload, nginx with a file; gives its port. */
export async function startOrigin(folder: string, { body }: Workload) {
  const port = await getPort();
  mkdirSync(join(folder, 'payload'), { recursive: true });
  writeFileSync(join(folder, 'payload', 'body.json'), body);
  const http = `  sendfile on; tcp_nopush on; open_file_cache max=100 inactive=600s; default_type application/json; types { }
  server {
    listen 127.0.0.1:${port} backlog=4096; root ${folder}/payload;
    location / { try_files /body.json =404; }
  }`;
  const file = join(folder, 'origin.conf');
  writeFileSync(file, nginxFrame(folder, 'origin', http));
  const command = ['nginx', '-c', file, '-e', join(folder, 'origin.log')];
  return { port, ...(await startPinned(loadCore, { command }, port)) };
}
