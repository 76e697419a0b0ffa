import type { AuthOptions } from 'next-auth';
import { SESSION_SECONDS } from '#lib/accounts/sessions';
import { signInWithIdentity, type Identity } from '#lib/accounts/identities';
import { authProviders, type ProviderProfile } from '#lib/auth/providers';
import type { SessionCaller } from '#lib/auth/session';
import { sessionClaims, sessionSecret, type Browser } from '#lib/auth/session-token';
import { SIGN_IN_REFUSALS } from '#lib/contract/sign-in-refusals';
import { AppError } from '#lib/errors';
import { log } from '#lib/log';

/**
 * Returns the next-auth options for the identity providers; passwords have an endpoint of their own. `signedIn` is the
 * caller already signed in in the browser.
 */
export const authOptions = (browser: Browser, signedIn: SessionCaller | null): AuthOptions => ({
  providers: authProviders(),
  secret: sessionSecret(),
  session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
  pages: { signIn: '/sign-in', error: '/sign-in', signOut: '/' },
  callbacks: {
    async signIn({ user, account, profile }) {
      try {
        const identity = {
          provider: account?.provider as Identity['provider'],
          subject: user.id,
          email: user.email ?? null,
          emailVerified: (profile as ProviderProfile | undefined)?.email_verified === true,
          name: user.name ?? null,
        };
        const { id } = await signInWithIdentity(identity, signedIn);
        // next-auth passes this same object to the `jwt` callback
        Object.assign(user, await sessionClaims(id, browser));
        return true;
      } catch (error) {
        // an error thrown here would be shown to the browser by next-auth
        const refusal = refusalOf(error);
        if (!refusal) log().error({ err: error }, 'sign-in through an identity provider failed');
        return `/sign-in?error=${refusal ?? 'failed'}`;
      }
    },
    jwt: ({ token, user }) => {
      const { sub, sid }: Record<string, unknown> = { ...(user ?? token) };
      return { sub: String(sub), sid };
    },
  },
  logger: {
    // only these two facts are logged, since the rest may contain tokens
    error: (code, cause) => log().error({ code, reason: reasonOf(cause) }, 'sign-in failed'),
    warn: code => log().warn({ code }, 'sign-in'),
    debug: () => {},
  },
});

/** Returns the name of a refusal. The page maps names to sentences, so that a link cannot show arbitrary text there. */
const refusalOf = (error: unknown): string | undefined =>
  error instanceof AppError
    ? Object.entries(SIGN_IN_REFUSALS).find(([, sentence]) => sentence === error.message)?.[0]
    : undefined;

const reasonOf = (cause: Error | { error?: Error }): string =>
  cause instanceof Error ? cause.message : (cause.error?.message ?? 'unknown');
