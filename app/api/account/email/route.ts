import { readProfile } from '#lib/accounts/account-to-wire';
import { getAccount } from '#lib/accounts/accounts';
import { askEmailChange, changeEmail } from '#lib/accounts/email-change';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.askEmailChange, async ({ caller, body }) => {
    const { email } = await body();
    await askEmailChange(await getAccount(caller.accountId), email);
    return { body: { message: `A link is on its way to ${email}.` } };
  }),
  PUT: route(studioOperations.changeEmail, async ({ caller, body, address }) => {
    const { token } = await body();
    return { body: await readProfile(await changeEmail(caller.accountId, token, address)) };
  }),
});
