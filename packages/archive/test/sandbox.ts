// The sandbox by its path: as a dependency, it would need the trip explorer, which reads archives with this package. `turbo.json` says that it
// is built before these tests run.
export { createSandbox, demoAccessToken, type SandboxOptions } from '../../../apps/sandbox/dist/index.js';
