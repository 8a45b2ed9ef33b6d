// Signatures of closed files of the audit log: Ed25519, so that somebody with the public key alone can check them.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { attempt } from '../attempt.js';

/** Signs closed files. */
export interface Signer {
  /** Which key signs: the start of the SHA-256 of the public key. */
  readonly id: string;
  /** @returns hexadecimal digits */
  sign(text: string): string;
}

/** @throws {Error} when the file has no Ed25519 key; the text names the setting or flag */
export function readSigner(path: string, name: string): Signer {
  const key = keyIn(path, name, createPrivateKey);
  return {
    id: idOf(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  };
}

/** The public keys by their identifiers. @param paths of files, separated by commas @throws {Error} as {@link readSigner} */
export function readPublicKeys(paths: string, name: string): ReadonlyMap<string, KeyObject> {
  return new Map(
    paths.split(',').map((path) => {
      const key = keyIn(path, name, createPublicKey);
      return [idOf(key), key] as const;
    }),
  );
}

/** @param signature hexadecimal digits, in lower case alone: no two spellings are good */
export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  return /^[0-9a-f]{128}$/.test(signature) && verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'));
}

/** Makes a signing key in a new file for its owner alone. Returns the public key. @throws {Error} when the file exists already */
export function makeSigningKey(path: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  if (attempt(() => writeFileSync(path, pem, { flag: 'wx', mode: 0o600 })) === null)
    throw new Error('--signing-key: the file exists already, or cannot be written');
  return pemOf(publicKey);
}

/** The public key that belongs to a signing key. @throws {Error} as {@link readSigner} */
export function publicKeyOf(path: string): string {
  return pemOf(createPublicKey(keyIn(path, '--signing-key', createPrivateKey)));
}

/** The private key of a file. @throws {Error} as {@link readSigner} */
export function readPrivateKey(path: string, name: string): KeyObject {
  return keyIn(path, name, createPrivateKey);
}

const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const idOf = (key: KeyObject) => hash('sha256', key.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 16);

function keyIn(path: string, name: string, create: (pem: string) => KeyObject): KeyObject {
  // The library's own message can quote the file.
  const key = attempt(() => create(readFileSync(path, 'utf8')));
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new Error(`${name}: the file cannot be read, or has no Ed25519 key in PEM form`);
  return key;
}
