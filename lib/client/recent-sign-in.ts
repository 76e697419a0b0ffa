import { ApiError } from '#client/errors';
import { studioApi } from '#lib/client/studio-api';

/** For a page that is left for an act: throws as the server would for a sign-in that is too long ago. */
export async function requireRecentSignIn(): Promise<void> {
  const { recent } = await studioApi.getSession();
  if (!recent) throw new ApiError({ status: 403, code: 'sign_in_again', message: 'Sign in again first.' });
}
