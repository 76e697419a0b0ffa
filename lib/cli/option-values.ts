import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { MOST_GEMS, YEAR_10_000 } from '#lib/contract/values';
import { parseStorageUrl } from '#lib/storage-url';

/** Returns a parser for whole numbers from `least` to `most`, by default the most gems there can be. */
export function wholeNumber(least: number, most = MOST_GEMS) {
  return (text: string): number => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses a date (as its start in UTC) or a date with time. */
export function moment(text: string): Date {
  const parsed = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  const at = new Date(text);
  if (parsed.success && at.getTime() < YEAR_10_000) return at;
  throw new InvalidArgumentError('It must be a date such as 2030-12-31, or a time such as 2030-12-31T18:00:00Z.');
}

/** Parses a date or a date with time that is in the future. */
export function futureMoment(text: string): Date {
  const at = moment(text);
  if (at.getTime() > Date.now()) return at;
  throw new InvalidArgumentError('It must be in the future.');
}

/** Checks the address of a store and returns it unchanged. */
export function storageAddress(text: string): string {
  try {
    parseStorageUrl(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`It must be ${(error as Error).message}.`);
  }
}
