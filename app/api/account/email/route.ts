import { readProfile } from '#lib/accounts/account-to-wire';
import { getAccount } from '#lib/accounts/accounts';
import { askEmailChange, changeEmail } from '#lib/accounts/email-change';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.askEmailChange, async ({ caller, body }) => {
    const { email } = await body();
    await askEmailChange(await getAccount(caller.accountId), email);
    return { body: { message: `A link is on its way to ${email}.` } };
  }),
  PUT: route(accountOperations.changeEmail, async ({ caller, body, address }) => {
    const { token } = await body();
    return { body: await readProfile(await changeEmail(caller.accountId, token, address)) };
  }),
});
