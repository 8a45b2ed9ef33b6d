import { tryPackages } from './portable.js';

console.log(JSON.stringify(await tryPackages()));
