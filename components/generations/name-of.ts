import { briefly } from '#lib/beginning';
import type { RequestWire } from '#lib/contract/schemas';

/** What a creator knows it by: its prompt, or, of what a recipe made, what was done: that prompt nobody has written. */
export const nameOf = ({ prompt, run }: Pick<RequestWire, 'prompt' | 'run'>): string => run?.title ?? prompt;

/** The same for a caption of one line, and as the name of a control or a picture: nobody hears a long prompt out. */
export const labelOf = (request: Pick<RequestWire, 'prompt' | 'run'>): string => briefly(nameOf(request), 120);
