/** A file that cannot be accepted as media. The message says what is wrong with it, and is safe to show to clients. */
export class UnusableMedia extends Error {
  override name = 'UnusableMedia';
}

export const NO_FILE =
  'No file of this account is at this address: it was not uploaded yet, has expired, or was deleted.';
