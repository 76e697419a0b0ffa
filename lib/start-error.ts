/** A failure to start: one message for the operator, without a stack trace, with what is wrong and how to fix it. */
export class StartError extends Error {}

/** Returns the error for a folder of the settings that is not writable. */
export const cannotWrite = (folder: string, cause: unknown): StartError =>
  new StartError(
    `Pomona cannot write to ${folder}: ${(cause as Error).message}. Change its owner, or set another DATA_DIR or STORAGE_URL.`,
    { cause },
  );
