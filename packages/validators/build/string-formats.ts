import type { StringFormat } from '@vehicle-data/openapi/model';

/**
 * The formats of strings, with the function in `src/formats/` that checks each and the words for people. A rule beside the format
 * that restricts nothing more is left out: a length of at least `longest`, the very `pattern`.
 */
export const stringFormats: Readonly<
  Record<
    StringFormat,
    {
      readonly module: string;
      readonly check: string;
      readonly words: string;
      readonly longest?: number;
      readonly pattern?: string;
    }
  >
> = {
  'date-time': { module: 'date-time', check: 'isDateTime', words: 'a date and time of RFC 3339' },
  'basic-date': {
    module: 'calendar-date',
    check: 'isBasicDate',
    words: 'a day that exists, in the form yyyyMMdd',
    longest: 8,
    pattern: '^[0-9]{8}$',
  },
  'iana-time-zone': { module: 'time-zone', check: 'isTimeZone', words: 'an IANA time zone identifier', longest: 32 },
};
