// The script of a page to take along: without what reads an archive or the API. It stands compressed in the page, as its records do.
import { inflate } from '../deflate.js';
import { unpackRecords } from '../packed-records.js';
import { bytesOf } from '../page-text.js';
import { embeddedSource } from './source/embedded.js';
import { startPage } from './start.js';

// Read now: the page puts its own elements in place of those of the document.
const text = document.getElementById('records')?.textContent ?? '';
startPage(() => embeddedSource(async () => unpackRecords(await inflate(bytesOf(text)))));
