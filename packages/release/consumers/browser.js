import { tryPackages } from './portable.js';

tryPackages().then(
  (found) => {
    document.body.textContent = JSON.stringify(found);
  },
  (error) => {
    document.body.textContent = String(error);
  },
);
