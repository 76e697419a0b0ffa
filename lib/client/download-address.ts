/** Returns the URL of a media file with a file name to save it under, which works for files on any origin. */
export const downloadAddress = (url: string, name: string): string => `${url}?download=${encodeURIComponent(name)}`;
