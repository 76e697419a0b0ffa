import { removeSignIn } from '#lib/accounts/remove-sign-in';
import { signInProviders } from '#lib/auth/providers';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(accountOperations.removeSignIn, async ({ caller, params }) => {
    const open = signInProviders().map(({ id }) => id);
    await removeSignIn({ id: caller.accountId, email: caller.email }, params.sign_in_id, open);
    return {};
  }),
});
