import * as v from 'valibot';

/** The members of a receipt that the page of an owner shows. Its signature is for whoever has the public key: `vds receipts verify`. */
const receipt = v.object({
  record_id: v.string(),
  pii_principal_id: v.string(),
  brand: v.string(),
  issuer: v.object({ component: v.string() }),
  processing: v.string(),
  signal: v.object({ event_type: v.string(), event_time: v.string() }),
  completed: v.object({ time: v.string() }),
});

/** A receipt, and the text of it that verifies. */
export type OwnerReceipt = v.InferOutput<typeof receipt> & { readonly text: string };

/** Reads the texts that are receipts, the newest first. */
export function readReceipts(texts: readonly string[]): readonly OwnerReceipt[] {
  const found = texts.flatMap((text) => {
    try {
      return [{ ...v.parse(receipt, JSON.parse(text)), text }];
    } catch {
      return [];
    }
  });
  return found.sort((one, other) => (one.completed.time < other.completed.time ? 1 : -1));
}
