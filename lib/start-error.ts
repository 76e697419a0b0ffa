/** Why a process cannot start, told to the operator in one message without a stack: what is wrong and what to do. */
export class StartError extends Error {}

/** A folder that the settings name and that cannot be written to. */
export const cannotWrite = (folder: string, cause: unknown): StartError =>
  new StartError(
    `Pomona cannot write to ${folder}: ${(cause as Error).message}. Change its owner, or set another DATA_DIR or STORAGE_URL.`,
    { cause },
  );
