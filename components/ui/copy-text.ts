/** Rejects where the browser refuses, as for pages that are neither https nor localhost: they have no clipboard at all. */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);
