// A program that backs up and is killed in the middle of its step: node backing-up.ts FOLDER TO RECIPIENT STEP
import { open } from 'node:fs/promises';
import { openArchive } from '@vehicle-data/archive';
import { disk } from '../../src/file-layer.ts';

const [folder = '', to = '', recipient = '', step = '1'] = process.argv.slice(2);
let writes = 0;
await using archive = await openArchive({
  folder,
  files: {
    ...disk,
    async write(path, content, mode) {
      if (!path.startsWith(to)) return disk.write(path, content, mode);
      writes += 1;
      if (writes < Number(step)) return disk.write(path, content, mode);
      // Half of it is on the disk.
      await using file = await open(path, 'w');
      await file.writeFile(content.slice(0, content.length >> 1));
      process.kill(process.pid, 'SIGKILL');
    },
  },
});
await archive.backup({ to, recipient });
