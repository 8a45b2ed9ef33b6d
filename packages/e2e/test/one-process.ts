// Runs TypeScript files one after the other in one process of Node: its start takes longer than most samples. Between two files nothing is
// left to do, as when a process of their own has ended.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Ends what a file printed, on both streams; on standard output, the code that a process would have ended with is before it. */
const mark = '<end of the file>\n';
const ofEnd = new RegExp(`(\\d+)${mark}$`);

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}
/** What a file printed that failed or did not end in time. */
export interface Failure extends Printed {
  readonly code: number;
  readonly killed: boolean;
}

export class OneProcess {
  readonly #options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  #child: ChildProcess | undefined;

  constructor(options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    this.#options = options;
  }

  /**
   * Runs a file, after those before it.
   *
   * @throws Failure
   */
  run(file: string, deadlineMs: number): Promise<Printed> {
    this.#child ??= fork(fileURLToPath(import.meta.url), { ...this.#options, silent: true, execArgv: [] });
    const child = this.#child;
    child.send(file);
    return new Promise<Printed>((resolve, reject) => {
      let [stdout, stderr] = ['', ''];
      const end = (failure: Pick<Failure, 'code' | 'killed'> | null) => {
        clearTimeout(timer);
        for (const stream of [child.stdout, child.stderr]) stream?.removeAllListeners('data');
        child.removeAllListeners('exit');
        const printed = { stdout: stdout.replace(ofEnd, ''), stderr: stderr.replace(mark, '') };
        if (failure === null) resolve(printed);
        else reject({ ...failure, ...printed } satisfies Failure);
      };
      const look = () => {
        const code = ofEnd.exec(stdout)?.[1];
        if (code !== undefined && stderr.endsWith(mark))
          end(code === '0' ? null : { code: Number(code), killed: false });
      };
      child.stdout?.on('data', (chunk: Buffer) => {
        stdout += chunk;
        look();
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk;
        look();
      });
      child.once('exit', (code) => {
        this.#child = undefined;
        end({ code: code ?? -1, killed: false });
      });
      const timer = setTimeout(() => {
        this.stop();
        end({ code: -1, killed: true });
      }, deadlineMs);
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

if (import.meta.main) {
  let code: number | null = null;
  const fail = (error: unknown) => {
    console.error(error);
    code = 1;
  };
  process.on('uncaughtException', fail);
  process.on('message', (file: string) => {
    // The next one keeps no file from its end.
    process.channel?.unref();
    code = 0;
    import(pathToFileURL(file).href).catch(fail);
  });
  // Node says this when nothing is left to do.
  process.on('beforeExit', () => {
    if (code === null) return;
    process.channel?.ref();
    process.stderr.write(mark);
    process.stdout.write(`${code}${mark}`);
    code = null;
  });
}
