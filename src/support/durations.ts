/** Lengths of time; days of a calendar, which may have 23 or 25 hours, are in src/calendar. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_SECONDS = DAY_MS / 1000;
