/** The pg-boss queue of an engine. `enqueue_generation` in the migrations knows the same name. */
export const queueOf = (engine: string): string => `generate.${engine}`;

/** Told (with the request id) when a generation became final: whoever waits for it. */
export const FINAL_CHANNEL = 'pomona_final';

/** Told (with the request id) when a generation was cancelled: the worker that runs it. */
export const CANCEL_CHANNEL = 'pomona_cancel';
