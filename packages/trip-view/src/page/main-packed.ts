// The script of a page with its trips inside: without what reads an archive or the API. It stands compressed in the page.
import { embeddedSource } from './source/embedded.js';
import { startPage } from './start.js';

startPage((source) => (source.kind === 'embedded' ? embeddedSource(source) : undefined));
