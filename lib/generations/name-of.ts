import type { Generation } from '#lib/life/generation';

/** What a creator knows it by: its prompt, or, of a part of a recipe's run, what the recipe does. */
export const nameOf = ({ prompt, runPart }: Pick<Generation, 'prompt' | 'runPart'>): string => runPart?.title ?? prompt;
