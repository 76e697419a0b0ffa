/** What every preview is encoded as. */
export const PREVIEW_TYPE = 'image/jpeg';
