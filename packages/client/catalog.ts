/** What a media field takes: an https URL, the `url` of an upload, a data URL, or a file, which is uploaded first. */
export type Media = string | Blob;

/** The fields of each model that Pomona comes with, by the id of its architecture; the packed package has them. */
export interface Catalog {}

/** Those of your own deployment, which come first: `pomona-run --types > pomona.d.ts` writes them. */
export interface DeploymentCatalog {}
