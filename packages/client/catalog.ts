/** The value of a media field: an https URL, the `url` of an upload, a data URL, or a file, which is uploaded first. */
export type Media = string | Blob;

/** The fields of each model that ships with Pomona, by architecture id. Filled in when the package is packed. */
export interface Catalog {}

/** The fields of your deployment's models, which take precedence. `pomona-run --types > pomona.d.ts` writes them. */
export interface DeploymentCatalog {}
