import { briefly } from '#lib/beginning';
import type { RequestWire } from '#lib/contract/schemas';

/** What a creator knows it by: its prompt, or, of what a recipe made, what was done: that prompt nobody has written. */
export const nameOf = ({ prompt, run }: Pick<RequestWire, 'prompt' | 'run'>): string => run?.title ?? prompt;

/** A prompt as a caption of one line, and as the name of a control or a picture: nobody hears a long one out. */
export const asLabel = (prompt: string): string => briefly(prompt, 120);

export const labelOf = (request: Pick<RequestWire, 'prompt' | 'run'>): string => asLabel(nameOf(request));
