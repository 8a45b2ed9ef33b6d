// Receipts of what was deleted: one format for archive, collector and proxy. `@vehicle-data/archive/receipts`.
export type {
  Receipt,
  ReceiptCheck,
  ReceiptCompletion,
  ReceiptFacts,
  ReceiptIssuer,
  ReceiptSignal,
  ReceiptSignature,
  ReceiptSigner,
  ReceiptStorage,
} from './receipt.js';
export {
  createReceiptKey,
  readReceipt,
  receiptSchema,
  receiptSigner,
  receiptText,
  signReceipt,
  verifyReceipt,
} from './receipt.js';
export type { CheckedReceipt } from './receipts-page.js';
export { receiptsPage } from './receipts-page.js';
