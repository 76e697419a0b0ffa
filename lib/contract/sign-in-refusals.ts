/** Reasons to refuse a sign-in through a provider. The sign-in page receives the key and shows the sentence. */
export const SIGN_IN_REFUSALS = {
  invite_only: 'Sign-up is by invitation. Ask the operator for an invitation link.',
  sign_up_closed: 'Sign-up is closed. Ask the operator for an account.',
  disabled: 'The operator disabled this account. Ask them why; nothing in it is deleted.',
  sign_in_again: 'To connect a provider you must have signed in recently. Sign in again, then connect it.',
  other_account: 'It belongs to another account here. Sign out first to use that one.',
  no_email: 'The provider did not give an e-mail address. Make one public there, or sign up with a password.',
  unverified:
    'The provider did not confirm that this e-mail address is yours. Sign up with it, then connect the provider in the settings.',
  account_exists:
    'There is an account with this e-mail address. Sign in to it with its password, then connect the provider in its settings.',
  bad_identity: 'The provider gave no usable identity. Tell the operator.',
} as const;

export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS;
