export { holdBucket, setBucket, takeToken } from './ledger/buckets.js';
export { type Database, onPglite, onPostgres, type Queries } from './ledger/database.js';
export { bindLedger, migrate } from './ledger/migrations.js';
export { sweep } from './ledger/sweep.js';
export { addVehicle, addWindow, type Claim, claimNext, claimWindow, deferWindow } from './ledger/windows.js';
export { beginPurge, continuePurge, type PurgeResult, type VehicleName } from './ledger/withdrawal.js';
export { collectWindow, type Lake } from './window/collect-window.js';
