/** Files that were pasted. Cells and formatted text bring a picture of themselves, which nobody means. */
export const filesOf = (clipboard: DataTransfer): Iterable<File> =>
  clipboard.getData('text/plain') && clipboard.getData('text/html') ? [] : clipboard.files;
