// Bytes as text in a page. In a file of UTF-16, two bytes are one letter of two bytes; base64, for all others, needs a third more.

/** Letters of a call that makes text of codes. */
const atOnce = 8192;

export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += atOnce) parts.push(String.fromCharCode(...bytes.subarray(at, at + atOnce)));
  return btoa(parts.join(''));
}

/** The bytes that `base64Of` wrote. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/** A letter of these is not what a script reads from the page: HTML replaces or joins them, or they could end the element. */
function isLost(unit: number): boolean {
  // https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream
  if (unit === 0 || unit === 0x0d || unit === 0x3c) return true;
  // Halves of a pair (surrogates), of which a decoder keeps whole pairs only.
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Stands before a letter of which this bit is turned, as it is before this letter itself. */
const mark = 0x01;
const turned = 0x2000;

/** Text that a page in UTF-16 holds unchanged in an element, with about a letter and three hundredths for two bytes. */
export function textOf(bytes: Uint8Array): string {
  const padding = bytes.length % 2;
  let text = String(padding);
  for (let at = 0; at < bytes.length; at += 2) {
    const unit = (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
    text += isLost(unit) || unit === mark ? String.fromCharCode(mark, unit ^ turned) : String.fromCharCode(unit);
  }
  return text;
}

/** The bytes that `textOf` wrote. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    let unit = text.charCodeAt(at);
    if (unit === mark) {
      at += 1;
      unit = text.charCodeAt(at) ^ turned;
    }
    bytes[length] = unit % 256;
    bytes[length + 1] = unit >> 8;
    length += 2;
  }
  return bytes.slice(0, length - Number(text[0]));
}

/**
 * A document as the bytes of a file. The byte order mark comes before whatever a server says of the encoding:
 * https://encoding.spec.whatwg.org/#decode
 */
export function utf16File(html: string): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(2 * html.length + 2);
  const view = new DataView(file.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let at = 0; at < html.length; at += 1) view.setUint16(2 * at + 2, html.charCodeAt(at), true);
  return file;
}
