import { tryPackages } from './portable.js';

const text = await tryPackages().then(JSON.stringify, String);
document.body.textContent = text;
