// Writes the bundle that a release carries to released/, against which later changes of the contract are rated.
import { fileURLToPath } from 'node:url';
import { redocly } from './bundle.ts';

const folder = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
await redocly(folder, 'bundle', 'openapi.yaml', '--output', 'released/openapi.yaml');
