/** The address of a media file for a link that saves it under a name, wherever the file is served from. */
export const downloadAddress = (url: string, name: string): string => `${url}?download=${encodeURIComponent(name)}`;
