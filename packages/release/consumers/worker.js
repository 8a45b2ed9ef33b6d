import { tryPackages } from './portable.js';

export default {
  async fetch() {
    return Response.json(await tryPackages());
  },
};
