/** What a media field takes: an https URL, the `url` of an upload, a data URL, or a file, which is uploaded first. */
export type Media = string | Blob;

/**
 * The fields of each model, by the id of its architecture. The packed package has those that Pomona comes with; write those of
 * your own deployment beside them with `pomona-run --types > pomona.d.ts`.
 */
export interface Catalog {}
