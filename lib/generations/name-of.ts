import type { Generation } from '#lib/life/generation';

/** Returns the name of a request for display: its prompt, or the title of its part of a recipe run. */
export const nameOf = ({ prompt, runPart }: Pick<Generation, 'prompt' | 'runPart'>): string => runPart?.title ?? prompt;
