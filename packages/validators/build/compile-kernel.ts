// Compiles kernel/kernel.ts with AssemblyScript and writes it, as text, into src/generated/. Run by "pnpm run build".
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import compiler from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('..', import.meta.url));
const written = new Map<string, Uint8Array | string>();
const { error, stderr } = await compiler.main(
  // Two pages of memory: one for the bytes of a piece, one that nothing reads but the start of.
  [
    'kernel/kernel.ts',
    '--outFile',
    'kernel.wasm',
    '-O3',
    '--enable',
    'simd',
    '--runtime',
    'stub',
    '--noAssert',
    '--use',
    'abort=',
    '--initialMemory',
    '2',
    '--baseDir',
    folder,
  ],
  { writeFile: (name, contents) => void written.set(name, contents) },
);
const kernel = written.get('kernel.wasm');
if (error || !(kernel instanceof Uint8Array)) {
  console.error(error?.message ?? 'AssemblyScript wrote nothing', stderr.toString());
  process.exit(1);
}
const text = Buffer.from(kernel).toString('base64');
await writeFile(
  `${folder}src/generated/kernel-code.ts`,
  `// Compiled from kernel/kernel.ts. Do not edit.\nexport const kernelCode = '${text}';\n`,
);
