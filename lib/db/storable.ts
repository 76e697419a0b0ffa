/** Makes an external text storable in Postgres: removes null characters and replaces lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
