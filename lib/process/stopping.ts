import { singleton } from '#lib/singleton';

/** Aborted when this process was told to stop: what waits for its own sake, such as a long poll, answers at once. */
export const stopping = (): AbortController => singleton('stopping', () => new AbortController());
