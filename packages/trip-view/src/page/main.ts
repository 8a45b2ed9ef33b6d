// The script of a page that reads its trips from anywhere.
import { unpackRecords } from '../packed-records.js';
import { bytesOfBase64 } from '../page-text.js';
import { apiSource } from './source/api.js';
import { archiveSource } from './source/archive.js';
import { embeddedSource } from './source/embedded.js';
import { startPage } from './start.js';

performance.mark('begin');
// Read now: the page puts its own elements in place of those of the document.
const text = document.getElementById('records')?.textContent ?? '';
startPage((source, base) => {
  if (source.kind === 'api') return apiSource(base, source);
  return source.kind === 'archive'
    ? archiveSource(base, source)
    : embeddedSource(async () => unpackRecords(bytesOfBase64(text)));
});
