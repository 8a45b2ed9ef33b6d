export { accountName, addAccount, claimLook, listAccounts, parkAccount, setAccountState } from './ledger/accounts.js';
export { type Database, onPglite, onPostgres, type Queries } from './ledger/database.js';
export { holdBucket, noteAlive, noteOutage, takeToken } from './ledger/limits.js';
export { bindLedger, migrate } from './ledger/migrations.js';
export { sweep } from './ledger/sweep.js';
export {
  addVehicle,
  addWindows,
  type Claim,
  claimVehicle,
  dueWindows,
  releaseVehicle,
  type VehicleName,
} from './ledger/windows.js';
export { beginPurge, continuePurge, type PurgeResult } from './ledger/withdrawal.js';
export { collectWindow, type Lake } from './window/collect-window.js';
