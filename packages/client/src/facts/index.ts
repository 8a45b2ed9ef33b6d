export { type Moment, type MomentKind, type MomentOptions, type ThresholdName, thresholds } from './moment.js';
export { moments } from './moments.js';
export { type DerivedSpeed, type SpeedOptions, speedOf } from './speed.js';
export {
  type Fact,
  type FactBasis,
  type FactOptions,
  type MotionFacts,
  motionFacts,
  type SignalFacts,
  type TripFacts,
  tripFacts,
} from './trip-facts.js';
