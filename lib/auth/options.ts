import type { AuthOptions } from 'next-auth';
import { signInWithIdentity, type Identity } from '#lib/accounts/identities';
import { findSessionHolder } from '#lib/accounts/session-callers';
import { authProviders, type ProviderProfile } from '#lib/auth/providers';
import { SESSION_SECONDS, sessionSecret } from '#lib/auth/session-token';
import { AppError } from '#lib/errors';
import { log } from '#lib/log';

/** next-auth for the identity providers; passwords have an endpoint of their own. `signedIn` is the account that is signed in already. */
export const authOptions = (signedIn: string | null): AuthOptions => ({
  providers: authProviders(),
  secret: sessionSecret(),
  session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
  pages: { signIn: '/sign-in', error: '/sign-in', signOut: '/' },
  callbacks: {
    async signIn({ user, account, profile }) {
      const identity = {
        provider: account?.provider as Identity['provider'],
        subject: user.id,
        email: user.email ?? null,
        emailVerified: (profile as ProviderProfile | undefined)?.email_verified === true,
        name: user.name ?? null,
      };
      try {
        const { id, sessionEpoch } = await signInWithIdentity(identity, signedIn);
        // the token is made of this very object
        Object.assign(user, { id, epoch: sessionEpoch });
        return true;
      } catch (error) {
        if (error instanceof AppError) return `/sign-in?message=${encodeURIComponent(error.message)}`;
        throw error;
      }
    },
    jwt: ({ token, user }) =>
      user ? { sub: user.id, epoch: (user as { epoch?: unknown }).epoch } : { sub: token.sub, epoch: token.epoch },
    async session({ session, token }) {
      const holder = await findSessionHolder(String(token.sub), Number(token.epoch));
      if (!holder) return { expires: session.expires };
      return { expires: session.expires, user: { email: holder.email, name: holder.name } };
    },
  },
  logger: {
    // what else it would log may hold tokens
    error: (code, cause) => log().error({ code, reason: reasonOf(cause) }, 'sign-in failed'),
    warn: code => log().warn({ code }, 'sign-in'),
    debug: () => {},
  },
});

const reasonOf = (cause: Error | { error?: Error }): string =>
  cause instanceof Error ? cause.message : (cause.error?.message ?? 'unknown');
