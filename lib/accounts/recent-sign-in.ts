import { AppError } from '#lib/errors';

const MINUTES = 10;

/** Whether the sign-in is recent enough to trust that the same person still uses the browser. */
export const isRecent = ({ signedInAt }: { signedInAt: Date }): boolean =>
  Date.now() - signedInAt.getTime() < MINUTES * 60_000;

/** Throws `sign_in_again` unless the sign-in is recent. Protects the access to an account in an unattended browser. */
export function requireRecentSignIn(session: { signedInAt: Date }): void {
  if (isRecent(session)) return;
  throw new AppError('sign_in_again', `This needs a sign-in within the last ${MINUTES} minutes. Sign in again.`);
}
