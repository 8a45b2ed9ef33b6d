// In place of heap-js in the page: only the reader of MCAP files uses it, and the page has none.

export class Heap {
  constructor() {
    throw new Error('the page does not read MCAP files');
  }
}
