import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { MOST_GEMS, YEAR_10_000 } from '#lib/contract/values';
import { parseStorageUrl } from '#lib/storage-url';

/** Parses a number of at least `least`, of gems unless told. */
export function wholeNumber(least: number, most = MOST_GEMS) {
  return (text: string): number => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses a day (its start, UTC) or a moment. */
export function moment(text: string): Date {
  const parsed = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  const at = new Date(text);
  if (parsed.success && at.getTime() < YEAR_10_000) return at;
  throw new InvalidArgumentError('It must be a date such as 2030-12-31, or a time such as 2030-12-31T18:00:00Z.');
}

/** Parses a day or a moment that is still to come. */
export function futureMoment(text: string): Date {
  const at = moment(text);
  if (at.getTime() > Date.now()) return at;
  throw new InvalidArgumentError('It must be in the future.');
}

/** Checks the address of a store. */
export function storageAddress(text: string): string {
  try {
    parseStorageUrl(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`It must be ${(error as Error).message}.`);
  }
}
