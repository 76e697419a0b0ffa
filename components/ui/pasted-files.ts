/** Returns the pasted files. Cells and formatted text include an image of themselves, which is ignored. */
export const filesOf = (clipboard: DataTransfer): Iterable<File> =>
  clipboard.getData('text/plain') && clipboard.getData('text/html') ? [] : clipboard.files;
