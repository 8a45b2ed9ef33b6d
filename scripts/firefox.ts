// A page in Firefox, by WebDriver BiDi over its own remote agent: https://w3c.github.io/webdriver-bidi/
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Reply {
  readonly id?: number;
  readonly type: string;
  readonly message?: string;
  readonly result?: unknown;
}

/** Starts Firefox without a window. Call `close` when the test has finished. */
export async function startFirefox(program: string) {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile, 'about:blank'];
  const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const close = async () => {
    browser.kill('SIGKILL');
    if (browser.exitCode === null && browser.signalCode === null) await once(browser, 'exit');
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    browser.stderr.on('data', (chunk: Buffer) => {
      printed += chunk;
      const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(printed) ?? [];
      if (found) resolve(found);
    });
    browser.once('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${printed}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  let count = 0;
  const send = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      count += 1;
      const id = count;
      const receive = ({ data }: MessageEvent) => {
        const reply: Reply = JSON.parse(`${data}`);
        if (reply.id !== id) return;
        socket.removeEventListener('message', receive);
        if (reply.type === 'success') resolve(reply.result);
        else reject(new Error(`${method}: ${reply.message}`));
      };
      socket.addEventListener('message', receive);
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send('session.new', { capabilities: {} });
  const { context } = (await send('browsingContext.create', { type: 'tab' })) as { readonly context: string };
  return {
    close,
    open: (url: string) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    /** The value of an expression that gives a promise, sent as JSON. */
    async evaluate(expression: string): Promise<unknown> {
      const { result, exceptionDetails } = (await send('script.evaluate', {
        expression: `Promise.resolve(${expression}).then(JSON.stringify)`,
        target: { context },
        awaitPromise: true,
      })) as { readonly result?: { readonly value: string }; readonly exceptionDetails?: { readonly text: string } };
      if (!result) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value);
    },
  };
}
