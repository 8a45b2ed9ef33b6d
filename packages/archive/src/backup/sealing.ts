// Sealing in the age format (https://age-encryption.org/v1), which any implementation of age opens.
import { createHash, createHmac } from 'node:crypto';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { ArchiveError } from '../archive-error.js';

/** The key of one vehicle in backups. */
export interface VehicleSeal {
  /** The age identity: whoever has it opens every copy of the vehicle. */
  readonly identity: string;
  /** Name of the folder of the vehicle in a backup. It says nothing without the identity. */
  readonly folder: string;
  /** Name of the file with some content in a backup. */
  nameOf(purpose: string, content: string): string;
  seal(content: Uint8Array | string): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<Uint8Array>;
}

/** What an age identity looks like. */
export const identityPattern = /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/;

/** Makes an age identity, as `age-keygen` does. */
export const makeIdentity = (): Promise<string> => generateX25519Identity();

/** The key of whoever restores. */
export interface BackupKey {
  /** What is needed to seal for it. */
  readonly recipient: string;
  /** The text of an identity file, as `age-keygen` writes it. It opens every backup. */
  readonly text: string;
}

/**
 * Makes a key for backups, or tells the recipient of one.
 *
 * @throws Error where it is none. The message does not repeat it.
 */
export async function backupKey(identity?: string): Promise<BackupKey> {
  const own = identity ?? (await makeIdentity());
  const recipient = await identityToRecipient(own).catch(() => undefined);
  if (recipient === undefined) throw new ArchiveError('invalid-argument', 'this is no age identity');
  return { recipient, text: `# public key: ${recipient}\n${own}\n` };
}

/** Seals and opens with the key of one vehicle. */
export async function vehicleSeal(identity: string): Promise<VehicleSeal> {
  const recipient = await identityToRecipient(identity);
  const folder = createHash('sha256').update(`folder of ${identity}`).digest('hex').slice(0, 32);
  return {
    identity,
    folder,
    nameOf: (purpose, content) =>
      createHmac('sha256', identity).update(`${purpose}:${content}`).digest('hex').slice(0, 32),
    seal: (content) => sealFor(recipient, content),
    open: (sealed) => openWith(identity, sealed),
  };
}

/** Seals for a recipient. @throws where it is none. */
export async function sealFor(recipient: string, content: Uint8Array | string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(content);
}

/** Opens with an identity. @throws where it is another one's, or the content was changed. */
export async function openWith(identity: string, sealed: Uint8Array): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(sealed, 'uint8array');
}
