import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@vehicle-data/openapi';
import getPort from 'get-port';
import { writePayloads } from './payloads.ts';
import { listening, loadCore, type Started, startPinned } from './processes.ts';
import { payloadSizes } from './workloads.ts';

/** The upstream of the bench: nginx with files. */
export interface Origin {
  readonly started: Started;
  readonly port: number;
  readonly tlsPort: number;
  /** File with the certificate of the TLS port. */
  readonly certificate: string;
}

/** Lines that both nginx servers of the bench share: one process, nothing logged, connections kept. */
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

function pathPattern(template: string): string {
  return template.replace('{vin}', '([^/]+)');
}

/** Starts the origin; the driving call returns the file that is named like the VIN, the location call always the same. */
export async function startOrigin(folder: string): Promise<Origin> {
  mkdirSync(folder, { recursive: true });
  writePayloads(join(folder, 'payloads'), payloadSizes);
  const certificate = join(folder, 'certificate.pem');
  const names = [
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  ];
  const kind = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', ...kind, '-subj', ...names, ...files], { stdio: 'ignore' });
  const port = await getPort();
  const tlsPort = await getPort();
  const http = `  sendfile on; tcp_nopush on; open_file_cache max=100 inactive=600s; default_type application/json; types { }
  server {
    listen 127.0.0.1:${port} backlog=4096; listen 127.0.0.1:${tlsPort} ssl backlog=4096;
    ssl_certificate ${certificate}; ssl_certificate_key ${folder}/key.pem; root ${folder}/payloads;
    location ~ ^${pathPattern(operations.getLocation.path)}$ { try_files /location.json =404; }
    location ~ ^${pathPattern(operations.getDrivingData.path)}$ { try_files /$1.json =404; }
  }`;
  const configuration = join(folder, 'origin.conf');
  writeFileSync(configuration, nginxFrame(folder, 'origin', http));
  const started = startPinned(
    loadCore,
    ['nginx', '-c', configuration, '-e', join(folder, 'origin.log')],
    {},
    join(folder, 'origin.err'),
  );
  if (!(await listening(port, started))) throw new Error('the origin does not start');
  return { started, port, tlsPort, certificate };
}
