import { removeSignIn } from '#lib/accounts/remove-sign-in';
import { signInProviders } from '#lib/auth/providers';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route(studioOperations.removeSignIn, async ({ caller, params }) => {
    const open = signInProviders().map(({ id }) => id);
    await removeSignIn({ id: caller.accountId, email: caller.email }, params.sign_in_id, open);
    return {};
  }),
});
