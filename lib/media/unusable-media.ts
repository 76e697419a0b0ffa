/** A file that cannot be taken as media, with a message that is safe to show: it says what is wrong with the file. */
export class UnusableMedia extends Error {
  override name = 'UnusableMedia';
}
