import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bytesTaken, dropRest } from '../platform/node-internals.js';
import type { FastConnection } from './fast-path/fast-connection.js';

/** Responses of one connection that Node's server makes at once. Further ones are made in their turn, and nothing more is read before. */
export const maxAtOnce = 16;
export const ignore = () => {};

/** One open connection of a client. */
export class Connection {
  readonly socket: Socket;
  /** The fast path, as long as it reads the connection. */
  fast: FastConnection | null = null;
  /** Responses of Node's server that are under way. */
  readonly responses = new Set<ServerResponse>();
  /** What begins the requests that wait for others of the connection. */
  readonly waiting: (() => void)[] = [];
  /** Whether its last request has been read. */
  isOver = false;
  /** Since when it is read again after a pause, in milliseconds. */
  resumedMs = 0;
  /** Rejects the half of a head whose time was over during the pause. */
  rejectLateHead: (() => void) | null = null;
  /** What the system has taken of the output; `null` while none of it waits for the client. */
  #taken: number | null = null;
  /** Since when the system has taken nothing more. */
  #takenMs = 0;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Whether it is not read on until fewer responses are under way. */
  get isHeld(): boolean {
    return this.responses.size > maxAtOnce;
  }

  /** Drops what follows the last request, past Node's parser, which would make requests of it. */
  dropRest(): void {
    const { socket } = this;
    this.isOver = true;
    dropRest(socket);
  }

  /** For how long the client has taken nothing of the output that waits for it, as far as calls of this could see. */
  waitedMs(nowMs: number): number {
    const { socket } = this;
    const taken = bytesTaken(socket);
    const before = this.#taken;
    this.#taken = socket.writableLength === 0 ? null : taken;
    if (this.#taken === null || taken !== before) this.#takenMs = nowMs;
    return nowMs - this.#takenMs;
  }
}
