import { accountToWire } from '#lib/accounts/account-to-wire';
import { readSecondStep } from '#lib/accounts/second-step';
import { askPasswordReset, resetPassword } from '#lib/accounts/password-reset';
import { beginSession } from '#lib/auth/session-token';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.askPasswordReset, async ({ body, address }) => {
    await askPasswordReset(await body(), address);
    return { body: { message: 'If there is an account with this address, a link is on its way to it.' } };
  }),
  PUT: route(studioOperations.resetPassword, async ({ body, headers, address }) => {
    const { token, password } = await body();
    const account = await resetPassword(token, password, address);
    if (await readSecondStep(account.id)) return { body: { account: null } };
    return { body: { account: accountToWire(account) }, cookies: await beginSession(account.id, { headers, address }) };
  }),
});
