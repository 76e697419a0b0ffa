import { createCalls } from '#client/operations';
import { parting } from '#lib/client/sender';

/** The API for what must arrive though the page may be on its way out. */
export const partingApi = createCalls(parting);
