// Unpacks the script of a page and runs it. The policy of the page allows this script and that one, each by its hash, and no other.

/** What a reader sees where the browser is too old, or the page is damaged. */
const failed = 'This page cannot be shown. It needs a browser of 2023 or later, or it is damaged.';

async function load(): Promise<void> {
  const packed = document.getElementById('script')?.textContent ?? '';
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const script = document.createElement('script');
  script.textContent = await new Response(unpacked).text();
  document.head.append(script);
}

load().catch(() => {
  document.body.append(failed);
});
