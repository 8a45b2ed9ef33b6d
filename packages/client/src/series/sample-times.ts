/**
 * Times of `count` samples, evenly spread from the start of a trip: the step is the length of the trip divided by the number
 * of samples, since no rate is promised. Milliseconds since 1 January 1970 UTC.
 */
export function sampleTimes(startTime: number, durationMs: number, count: number): Float64Array {
  const step = durationMs / count;
  return Float64Array.from({ length: count }, (_, index) => startTime + index * step);
}
