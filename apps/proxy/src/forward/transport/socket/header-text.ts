/**
 * The value of a header line without the spaces and tabs around it. Not `trim`, which takes away more than the two.
 *
 * {@link https://www.rfc-editor.org/rfc/rfc9110#section-5.5}
 *
 * @param from where the value begins in the text, after the colon
 * @param to where the line ends
 */
export function headerText(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
