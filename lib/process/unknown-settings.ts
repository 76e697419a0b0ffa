import { closest, distance } from 'fastest-levenshtein';
import { inheritedEnv, SETTINGS } from '#lib/env';
import { log } from '#lib/log';

/** What begins so is meant for Pomona. */
const OURS = /^(LIMIT|GEM|PREVIEW|MODERATION)_/;
/** A misspelling has the first letter of the name, and is about this many letters away from it. */
const NEAR = 2;

/** Tells once, not in every process, which variables are probably misspelled settings: they change nothing. */
export function tellUnknownSettings(): void {
  // whoever started this process has told them
  if (process.connected) return;
  for (const { name, nearest } of unknownSettings(inheritedEnv()))
    log().warn({ name, nearest }, `${name} is not a setting and has no effect; did you mean ${nearest}?`);
}

/** Variables that were probably meant as settings, each with the one that is most like it. */
export function unknownSettings(variables: Record<string, string | undefined>): { name: string; nearest: string }[] {
  const settings = Object.keys(SETTINGS);
  return Object.keys(variables)
    .filter(name => variables[name] && !Object.hasOwn(SETTINGS, name))
    .map(name => ({ name, nearest: closest(name, settings) }))
    .filter(({ name, nearest }) => OURS.test(name) || isMisspelled(name, nearest));
}

/** Short names are like those of others. */
const isMisspelled = (name: string, setting: string): boolean =>
  name.includes('_') && name[0] === setting[0] && distance(name, setting) <= NEAR;
