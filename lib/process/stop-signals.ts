const LOOK_FOR_PARENT_MS = 500;

/**
 * Calls back whenever this process is asked to stop: SIGTERM, SIGINT, and the end of the process that started it when that
 * is one of ours, or npm's shell, which dies of a SIGTERM without passing it on.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', () => stop('end of the parent'));
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop('end of npm');
  }, LOOK_FOR_PARENT_MS);
  watch.unref();
}
