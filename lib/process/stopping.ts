import { singleton } from '#lib/singleton';

/** Aborted when this process is told to stop: long polls and other waits then answer immediately. */
export const stopping = (): AbortController => singleton('stopping', () => new AbortController());
