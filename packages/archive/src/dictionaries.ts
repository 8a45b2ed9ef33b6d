/** The samples of a column, each as the index of its value among the distinct ones. */
export interface Dictionary<Value> {
  /** Distinct values in the order in which they came. */
  readonly values: Value[];
  /** One index a sample. The next dictionary overwrites them. */
  indexes(): number[];
  /** How many samples differ from the one before. */
  runs(): number;
  /** Adds the samples of a list. What is `null` is left out. */
  add(list: readonly unknown[]): void;
}

/** Room for indexes. Columns of one file use it one after the other: mostly they have the same number of samples. */
let room: number[] = [];

function roomFor(length: number): number[] {
  if (room.length < length) room = new Array<number>(length);
  return room;
}

function cut(indexes: number[], length: number): number[] {
  indexes.length = length;
  return indexes;
}

/** A dictionary of texts. */
export function textDictionary(capacity: number): Dictionary<string> {
  const values: string[] = [];
  const known = new Map<string, number>();
  const indexes = roomFor(capacity);
  let [length, runs, index] = [0, 0, -1];
  const indexOf = (value: string) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    known.set(value, values.length);
    return values.push(value) - 1;
  };
  return {
    values,
    indexes: () => cut(indexes, length),
    runs: () => runs,
    add(list) {
      for (const value of list) {
        if (typeof value !== 'string') continue;
        if (value !== values[index]) {
          index = indexOf(value);
          runs += 1;
        }
        indexes[length] = index;
        length += 1;
      }
    },
  };
}

/** A dictionary of numbers by their bits. A `Map` puts each number on the heap, and takes five times as long. */
export function numberDictionary(capacity: number): Dictionary<number> {
  const values: number[] = [];
  const indexes = roomFor(capacity);
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);
  let slots = new Int32Array(1024).fill(-1);
  let [length, runs, index] = [0, 0, -1];

  /** The slot with the index of a number, or the free one for it. */
  const slotOf = (value: number) => {
    number[0] = value;
    const hash = Math.imul((words[0] ?? 0) ^ Math.imul(words[1] ?? 0, 0x85ebca6b), 0x9e3779b1);
    let slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
    for (let at = slots[slot] ?? -1; at >= 0 && !Object.is(values[at], value); at = slots[slot] ?? -1) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const indexOf = (value: number) => {
    const slot = slotOf(value);
    const found = slots[slot] ?? -1;
    if (found >= 0) return found;
    slots[slot] = values.push(value) - 1;
    if (values.length * 2 > slots.length) {
      slots = new Int32Array(slots.length * 2).fill(-1);
      for (const [at, each] of values.entries()) slots[slotOf(each)] = at;
    }
    return values.length - 1;
  };
  return {
    values,
    indexes: () => cut(indexes, length),
    runs: () => runs,
    add(list) {
      // Not for-of, which puts each number on the heap.
      for (let at = 0; at < list.length; at += 1) {
        const value = list[at];
        if (typeof value !== 'number') continue;
        if (!Object.is(value, values[index])) {
          index = indexOf(value);
          runs += 1;
        }
        indexes[length] = index;
        length += 1;
      }
    },
  };
}
