import { createCalls } from '#client/operations';
import { parting } from '#lib/client/sender';

/** The API for calls that must arrive even when the page is being closed. */
export const partingApi = createCalls(parting);
