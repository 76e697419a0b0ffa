const LOOK_FOR_PARENT_MS = 500;

/**
 * Calls `stop` whenever this process is asked to stop: on SIGTERM, on SIGINT, and when its parent ends, if that is a
 * Pomona process or the shell of npm, which dies of a SIGTERM without forwarding it.
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
