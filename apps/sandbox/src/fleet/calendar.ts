/** A calendar day as the number of days since 1 January 1970 of the Gregorian calendar. */
export type Day = number;

export const millisecondsPerDay = 86_400_000;

/** The day number of a date; `month` counts from 1. Pure calendar arithmetic. */
export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

/** The day of eight digits yyyyMMdd that were already checked to name one. */
export function dayOfBasicDate(text: string): Day {
  return dayOf(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6, 8)));
}

/** Weekday of a day: 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Number of the week, Monday to Sunday, that holds a day. */
export function weekOf(day: Day): number {
  return Math.floor((day + 3) / 7);
}

/** Year of a day. */
export function yearOf(day: Day): number {
  return new Date(day * millisecondsPerDay).getUTCFullYear();
}
