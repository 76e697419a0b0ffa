import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { MOST_GEMS } from '#lib/contract/values';
import { parseStorageUrl } from '#lib/storage-url';

/** Parses a number of gems of at least `least`. */
export function wholeNumber(least: number) {
  return (text: string): number => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= MOST_GEMS) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${MOST_GEMS}.`);
  };
}

/** Parses how many days something holds. */
export function days(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 90) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 90.');
}

/** Parses a day (its start, UTC) or a moment. */
export function moment(text: string): Date {
  const parsed = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (parsed.success) return new Date(text);
  throw new InvalidArgumentError('It must be a day such as 2030-12-31, or a moment such as 2030-12-31T18:00:00Z.');
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
