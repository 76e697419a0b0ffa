import { closest, distance } from 'fastest-levenshtein';
import { inheritedEnv, SETTINGS } from '#lib/env';
import { log } from '#lib/log';

/** Prefixes of names that are meant for Pomona. */
const OURS = /^(LIMIT|GEM|PREVIEW|MODERATION)_/;
/** Maximum edit distance between a misspelling and a setting; the first letter must be the same. */
const NEAR = 2;

/** Logs which variables are probably misspelled settings and have no effect; once, not in every process. */
export function tellUnknownSettings(): void {
  // the parent process has logged them already
  if (process.connected) return;
  for (const { name, nearest } of unknownSettings(inheritedEnv()))
    log().warn({ name, nearest }, `${name} is not a setting and has no effect; did you mean ${nearest}?`);
}

/** Returns the variables that were probably meant as settings, each with the nearest setting. */
export function unknownSettings(variables: Record<string, string | undefined>): { name: string; nearest: string }[] {
  const settings = Object.keys(SETTINGS);
  return Object.keys(variables)
    .filter(name => variables[name] && !Object.hasOwn(SETTINGS, name))
    .map(name => ({ name, nearest: closest(name, settings) }))
    .filter(({ name, nearest }) => OURS.test(name) || isMisspelled(name, nearest));
}

/** Whether a name is a likely misspelling. A name without `_` is too short: it may belong to another program. */
const isMisspelled = (name: string, setting: string): boolean =>
  name.includes('_') && name[0] === setting[0] && distance(name, setting) <= NEAR;
