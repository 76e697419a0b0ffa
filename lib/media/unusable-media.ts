/** A file that cannot be taken as media, with a message that is safe to show: it says what is wrong with the file. */
export class UnusableMedia extends Error {
  override name = 'UnusableMedia';
}

export const NO_FILE =
  'No file of this account is at this address: it was not uploaded yet, has expired, or was deleted.';
