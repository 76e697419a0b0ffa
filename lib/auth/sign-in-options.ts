import { canSendMail } from '#lib/accounts/mail';
import { signInProviders } from '#lib/auth/providers';
import { env } from '#lib/env';

/** What the sign-in pages offer. */
export const signInOptions = () => ({
  /** To be started with next-auth's `signIn(id)`. */
  providers: signInProviders(),
  signUp: env().SIGN_UP,
  /** Else the operator hands out links to a new password. */
  resetByMail: canSendMail(),
});
