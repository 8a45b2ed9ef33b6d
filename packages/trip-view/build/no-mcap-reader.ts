// In place of the reader of MCAP files: their writer imports it, to continue a file that is there. The page only writes new ones.

export const McapIndexedReader = {
  Initialize(): never {
    throw new Error('the page does not read MCAP files');
  },
};
