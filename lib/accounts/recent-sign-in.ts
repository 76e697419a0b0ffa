import { AppError } from '#lib/errors';

const MINUTES = 10;

/** Whether somebody signed in so recently that they are taken for whom they were then. */
export const isRecent = ({ signedInAt }: { signedInAt: Date }): boolean =>
  Date.now() - signedInAt.getTime() < MINUTES * 60_000;

/** For acts that open an account to others or take a guard off it: a browser that was left open may not do them. */
export function requireRecentSignIn(session: { signedInAt: Date }): void {
  if (isRecent(session)) return;
  throw new AppError('sign_in_again', `This needs a sign-in within the last ${MINUTES} minutes. Sign in again.`);
}
