import { briefly } from '#lib/beginning';
import type { RequestWire } from '#lib/contract/schemas';

/** Returns the name by which a user knows a request: its prompt, or the title of the recipe that wrote its prompt. */
export const nameOf = ({ prompt, run }: Pick<RequestWire, 'prompt' | 'run'>): string => run?.title ?? prompt;

/** Shortens a prompt to a one-line caption or an accessible name, which a screen reader reads out in full. */
export const asLabel = (prompt: string): string => briefly(prompt, 120);

export const labelOf = (request: Pick<RequestWire, 'prompt' | 'run'>): string => asLabel(nameOf(request));
