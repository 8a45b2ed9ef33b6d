import { kernelCode } from '../generated/kernel-code.js';
import type { NumberRange } from './number-range.js';

/** The scans that are compiled to WebAssembly from kernel/kernel.ts. */
export interface Kernel {
  /** Its memory: the bytes of a piece go to the front of it. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Passes over numbers that are surely valid and gives the place of the next item. */
  readonly numbers: (at: number, end: number, range: NumberRange) => number;
  /** How many numbers the last call passed. */
  readonly items: () => number;
  /** How many bytes from one place on equal those that stand so many bytes earlier. */
  readonly repeated: (at: number, end: number, distance: number) => number;
}

/** So much of a body is looked at in one go. */
export const kernelBytes = 65_536;

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly items: { readonly value: number };
  readonly numbers: (at: number, end: number, integer: number, ...sure: number[]) => number;
  readonly repeated: Kernel['repeated'];
}

// What is used of https://webassembly.github.io/spec/js-api/, which the types of the language alone do not know.
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: KernelExports };
};

let known: Kernel | null | undefined;

/**
 * The kernel, made when it is first asked for; null where the runtime has no WebAssembly with SIMD or does not let a program
 * compile it (Cloudflare Workers, pages whose policy lacks `wasm-unsafe-eval`). All checkers share it: a piece is dealt with before
 * another one comes.
 */
export function findKernel(): Kernel | null {
  if (known !== undefined) return known;
  try {
    const code = Uint8Array.from(atob(kernelCode), (character) => character.charCodeAt(0));
    known = wrap(new WebAssembly.Instance(new WebAssembly.Module(code)).exports);
  } catch {
    known = null;
  }
  return known;
}

function wrap({ memory, items, numbers, repeated }: KernelExports): Kernel {
  return {
    bytes: new Uint8Array(memory.buffer),
    view: new DataView(memory.buffer),
    numbers: (at, end, { integer, sure, sureNegative }) =>
      numbers(at, end, Number(integer), sure.digits, sure.first, sureNegative.digits, sureNegative.first),
    items: () => items.value,
    repeated,
  };
}
