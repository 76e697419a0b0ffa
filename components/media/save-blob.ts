/** Downloads a blob as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // the browser may read the URL some time after the click
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
