import { canSendMail } from '#lib/accounts/mail';
import { signsUpByMail } from '#lib/accounts/sign-up';
import { signInProviders } from '#lib/auth/providers';
import { env } from '#lib/env';

/** Options that the sign-in pages offer. */
export const signInOptions = () => ({
  /** Identity providers, to be started with `signIn(id)` of next-auth. */
  providers: signInProviders(),
  signUp: env().SIGN_UP,
  /** Whether accounts are opened with a mailed link. */
  signUpByMail: signsUpByMail(),
  /** Whether mail is sent; otherwise the operator hands out links to reset a password or change an address. */
  sendsMail: canSendMail(),
});
