// Which lengths of a text follow from its pattern.

/** The least and the greatest length of the text that an anchored pattern takes; undefined for a pattern with more than plain parts. */
export function patternLengths(pattern: string): readonly [least: number, most: number] | undefined {
  const parts =
    /(?<open>\()(?:\?:)?|(?<close>\))|(?<or>\|)|(?<one>\[(?!\^)[^\]\\]+\]|\\[^a-zA-Z0-9]|[^\\[\](){}?*+.^$|])/y;
  const repeats = /\{([0-9]+)(,?)([0-9]*)\}|[?*+]/y;
  let at = pattern.startsWith('^') ? 1 : 0;
  const take = (expression: RegExp) => {
    expression.lastIndex = at;
    const found = expression.exec(pattern);
    at = found ? expression.lastIndex : at;
    return found;
  };
  const repeatAt = (): readonly [number, number] => {
    const [text, least, comma, most] = take(repeats) ?? [];
    if (text === undefined) return [1, 1];
    if (least === undefined) return text === '?' ? [0, 1] : [text === '+' ? 1 : 0, Infinity];
    return [Number(least), most ? Number(most) : comma ? Infinity : Number(least)];
  };
  /** The lengths of a group, up to its end or that of the pattern. */
  const group = (isInner: boolean): readonly [number, number] | undefined => {
    const branches: (readonly [number, number])[] = [];
    let [least, most] = [0, 0];
    while (at < pattern.length && !(pattern[at] === '$' && at === pattern.length - 1)) {
      const { open, close, or } = take(parts)?.groups ?? { open: '', close: '', or: '', one: undefined };
      if (close && isInner) {
        branches.push([least, most]);
        return [Math.min(...branches.map(([one]) => one)), Math.max(...branches.map(([, one]) => one))];
      }
      if (or && isInner) {
        branches.push([least, most]);
        [least, most] = [0, 0];
        continue;
      }
      const size = open ? group(true) : [1, 1];
      if (size === undefined || close !== undefined || or !== undefined) return undefined;
      const [from, to] = repeatAt();
      least += (size[0] ?? 0) * from;
      most += to === 0 ? 0 : (size[1] ?? 0) * to;
    }
    return isInner ? undefined : [least, most];
  };
  return group(false);
}
