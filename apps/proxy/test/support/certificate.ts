import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { newFile } from './program.ts';

/** A new key and a certificate for `localhost` that it has signed itself. */
export function certificateForLocalhost() {
  const [keyFile, certFile] = [newFile('key.pem'), newFile('cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, ...files], { stdio: 'ignore' });
  return { key: readFileSync(keyFile), cert: readFileSync(certFile), keyFile, certFile };
}

/** Has this process trust a certificate until the test has finished. */
export function trust(cert: Buffer): void {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, cert.toString()]);
  onTestFinished(() => setDefaultCACertificates(usual));
}
