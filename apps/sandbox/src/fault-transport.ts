/** Waits, at most as long as the client does. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

/** Sends the first half of a body with the length of the whole, then breaks the connection off or falls silent. */
export function breakOff(
  whole: Response,
  text: string,
  how: 'cut-body' | 'stalled-body',
  signal: AbortSignal,
): Response {
  const bytes = new TextEncoder().encode(text);
  let sent = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(bytes.slice(0, bytes.length >> 1));
      } else if (how === 'cut-body') {
        // One turn later, so that the first half is on its way before the connection ends.
        await pause(20, signal);
        controller.error(new Error('cut by a fault'));
      } else {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      }
    },
  });
  const headers = new Headers(whole.headers);
  headers.set('content-length', String(bytes.length));
  return new Response(body, { status: whole.status, headers });
}
