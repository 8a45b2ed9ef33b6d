// The script of a page that reads its trips from anywhere.
import { apiSource } from './source/api.js';
import { archiveSource } from './source/archive.js';
import { embeddedSource } from './source/embedded.js';
import { startPage } from './start.js';

startPage((source, base) => {
  if (source.kind === 'api') return apiSource(base, source);
  return source.kind === 'archive' ? archiveSource(base, source) : embeddedSource(async () => source.records);
});
