/** Rejects if the browser refuses, as on pages that are neither https nor localhost, which have no clipboard. */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);
