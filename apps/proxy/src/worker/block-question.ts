/** Asks for all that was added from a place on, after adding and removing. */
export interface BlockQuestion {
  readonly kind: 'blocks';
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Which texts were read until now, and how many; a change of the first means that all have to be read again. */
  readonly generation: string;
  readonly from: number;
}

export interface BlockReply {
  readonly generation: string;
  readonly from: number;
  readonly texts: readonly string[];
}
