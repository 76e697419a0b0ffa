import { getAccount } from '#lib/accounts/accounts';
import { addPasskey } from '#lib/accounts/passkeys';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.addPasskey, async ({ caller, body }) => {
    const { name, credential } = await body();
    await addPasskey(await getAccount(caller.accountId), credential, name);
    return {};
  }),
});
