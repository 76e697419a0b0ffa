const UNITS = ['B', 'kB', 'MB', 'GB'];

/** Formats a size in the largest unit that leaves a figure of at least 1, in steps of 1,000. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const figure = bytes / 1000 ** step;
  return `${figure.toFixed(step && figure < 10 ? 1 : 0)} ${UNITS[step]}`;
}
