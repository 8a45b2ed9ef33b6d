// The script of a page to take along: without what reads an archive or the API. It stands compressed in the page, as its records do.
import { inflate } from '../deflate.js';
import { unpackRecords } from '../packed-records.js';
import { bytesOf } from '../page-text.js';
import { embeddedSource } from './source/embedded.js';
import { startPage } from './start.js';

performance.mark('begin');
// Read now: the page puts its own elements in place of those of the document.
const text = document.getElementById('records')?.textContent ?? '';
const records = inflate(bytesOf(text)).then(unpackRecords);
// Once they are there: a frame without trips would move when they come.
const start = () => startPage(() => embeddedSource(() => records));
records.then(start, start);
