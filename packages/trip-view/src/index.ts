// Pictures of trips. `./node` serves the page; what the page and the pictures are made of is not exported.
export type { ArchiveFile, ArchiveFiles, FurtherVehicle, PageConfig, PageFileConfig, PageSource } from './page-html.js';
export { tripPageFile, tripPageHtml } from './page-html.js';
export type { Defect, DefectRun, EnumerationSignal, NumberSignal, Signal, TimeBasis } from './trip/signals.js';
export type { ReadTrips, Trip, TripRecord } from './trip/trip.js';
export { readTrips } from './trip/trip.js';
export type { TripSvgOptions } from './trip-svg.js';
export { tripSvg } from './trip-svg.js';
export type { TripTerminalOptions } from './trip-terminal.js';
export { tripBraille } from './trip-terminal.js';
