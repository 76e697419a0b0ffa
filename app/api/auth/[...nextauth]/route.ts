import NextAuth from 'next-auth';
import { authOptions } from '#lib/auth/options';
import { findSessionCaller } from '#lib/auth/session';

/** Sign-in through identity providers. */
async function handle(request: Request, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const signedIn = await findSessionCaller(request);
  return await NextAuth(request as never, context as never, authOptions(signedIn?.accountId ?? null));
}

export { handle as GET, handle as POST };
