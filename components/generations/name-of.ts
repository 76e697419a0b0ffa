import type { RequestWire } from '#lib/contract/schemas';

/** What a creator knows it by: its prompt, or, of what a recipe made, what was done: that prompt nobody has written. */
export const nameOf = ({ prompt, run }: Pick<RequestWire, 'prompt' | 'run'>): string => run?.title ?? prompt;
