export interface TripRangeOptions {
  readonly from: string;
  readonly to: string;
}
export interface TripIterator<T> extends AsyncIterable<T> {}
