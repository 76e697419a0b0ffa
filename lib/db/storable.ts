/** A text that the database takes: others may say what they like. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
