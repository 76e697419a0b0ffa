/** Has the browser save bytes of the page as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // the browser reads it a moment later
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
