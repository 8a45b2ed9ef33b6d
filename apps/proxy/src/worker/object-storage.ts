/** The storage of a Durable Object, as far as it is used here. */
export interface ObjectStorage {
  get(key: string): Promise<unknown>;
  /** @param options `allowUnconfirmed`: whether answers may leave the object before the value is on the disk */
  put(key: string, value: unknown, options?: { readonly allowUnconfirmed?: boolean }): Promise<void>;
  /** Has the object called at this time, in milliseconds since 1970, in place of any time that was set before. */
  setAlarm(timeMs: number): Promise<void>;
  deleteAll(): Promise<void>;
}
