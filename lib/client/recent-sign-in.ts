import { ApiError } from '#client/errors';
import { studioApi } from '#lib/client/studio-api';

/** Throws as the server would when the last sign-in is too long ago. Call it before an action that leaves the page. */
export async function requireRecentSignIn(): Promise<void> {
  const { recent } = await studioApi.getSession();
  if (!recent) throw new ApiError({ status: 403, code: 'sign_in_again', message: 'Sign in again first.' });
}
