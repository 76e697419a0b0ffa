import { canSendMail } from '#lib/accounts/mail';
import { signsUpByMail } from '#lib/accounts/sign-up';
import { signInProviders } from '#lib/auth/providers';
import { env } from '#lib/env';

/** What the sign-in pages offer. */
export const signInOptions = () => ({
  /** To be started with next-auth's `signIn(id)`. */
  providers: signInProviders(),
  signUp: env().SIGN_UP,
  /** An account is opened with a link that is mailed. */
  signUpByMail: signsUpByMail(),
  /** Else the operator hands out links: to a new password, to another address. */
  sendsMail: canSendMail(),
});
