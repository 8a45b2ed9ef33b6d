// Kinds of values that only this program has.
import { kind } from '#kit/settings/kinds.js';
import { rateText } from '../rate.js';

export const rate = kind(rateText, 'calls/seconds, such as `600/60s`');
