// Unpacks the style and the script of a page to take along, and runs it. The policy of the page allows this script, that one and the
// style, each by its hash, and no other.
import { inflate } from '../deflate.js';
import { bytesOf } from '../page-text.js';

/** What a reader sees where the browser is too old, or the page is damaged. */
const failed = 'This page cannot be shown. It needs a browser of 2023 or later, or it is damaged.';

async function textOf(id: string): Promise<string> {
  const packed = document.getElementById(id)?.textContent ?? '';
  return new TextDecoder().decode(await inflate(bytesOf(packed)));
}

function add(name: 'style' | 'script', text: string): void {
  const element = document.createElement(name);
  element.textContent = text;
  document.head.append(element);
}

Promise.all([textOf('style'), textOf('script')])
  .then(([style, script]) => {
    add('style', style);
    add('script', script);
  })
  .catch(() => {
    document.body.append(failed);
  });
