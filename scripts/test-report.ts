// Vitest's report of a package, which `npm test` reads for its table at the end.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What is used of vitest's tests. */
interface Test {
  readonly fullName: string;
  readonly module: { readonly moduleId: string };
  result(): { readonly state: string; readonly errors?: readonly { readonly message: string }[] | undefined };
}
interface Module {
  readonly moduleId: string;
  readonly children: { allTests(): Iterable<Test> };
  errors(): readonly { readonly message: string }[];
}

/** A line that says why tests of a file are skipped. */
const isReason =
  /^(?:skipped:|not (?:tested|tried|ended)|no browser)|\bnot tested\b|\bnot tried\b|\bis missing\b|\bmissing \(/i;

const firstLine = (errors: readonly { readonly message: string }[] = []) => errors[0]?.message.split('\n')[0] ?? '';

/**
 * Seconds of the processor that this process and all that it has waited for took: fields 14 to 17 of proc(5), in hundredths. Undefined where
 * the system does not tell.
 */
function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // After the name of the program, which may hold spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100;
}

/**
 * Writes `.cache/tests.json` of the package: what failed, what was skipped, the reasons that were printed, and the processor time of
 * vitest, its workers and what they started.
 */
class TestReport {
  readonly #reasons = new Set<string>();

  onUserConsoleLog({ content }: { readonly content: string }): void {
    for (const line of content.split('\n')) if (isReason.test(line)) this.#reasons.add(line.trim());
  }

  onTestRunEnd(modules: readonly Module[], unhandled: readonly { readonly message: string }[]): void {
    const root = process.cwd();
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const failed: { file: string; name: string; message: string }[] = [];
    const skipped: { file: string; name: string }[] = [];
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      // A file that fails before its tests: an import, or a hook.
      if (module.errors().length > 0) failed.push({ file, name: 'the file', message: firstLine(module.errors()) });
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'failed') failed.push({ file, name: test.fullName, message: firstLine(errors) });
        else if (state !== 'passed') skipped.push({ file, name: test.fullName });
        if (state === 'passed' || state === 'failed') counts[state]++;
        else counts.skipped++;
      }
    }
    if (unhandled.length > 0)
      failed.push({ file: '', name: 'an error that no test handled', message: firstLine(unhandled) });
    mkdirSync(join(root, '.cache'), { recursive: true });
    const report = { ...counts, failures: failed, skips: skipped, reasons: [...this.#reasons] };
    const write = (): void =>
      writeFileSync(
        join(root, '.cache', 'tests.json'),
        `${JSON.stringify({ ...report, processorSeconds: processorSeconds() }, null, 2)}\n`,
      );
    write();
    // The workers have ended by then, so that theirs is counted.
    process.once('exit', write);
  }
}

/** The reporters of every package. */
export const reporters = ['default', new TestReport()];

/** Values in the titles of tests are not cut off, so that a title stands in the report as it is written. */
export const wholeTitles = { taskTitleValueFormatTruncate: 0 };
