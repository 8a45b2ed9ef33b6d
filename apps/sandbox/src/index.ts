// The sandbox in-process. The command line and the state file are in node.ts and not exported: they need Node.

export type { Clock } from './clock.js';
export type { Consent } from './consents.js';
export type { Fault, FaultEffect, FaultScope } from './faults.js';
export type { ConsentControl, FaultControl, Sandbox, SandboxOptions } from './sandbox.js';
export { createSandbox } from './sandbox.js';
export type { StateStore } from './state.js';
export type { TokenLifetimes } from './tokens.js';
export { demoAccessToken, demoClient, demoRefreshToken } from './tokens.js';
