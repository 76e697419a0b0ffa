import { askSignUp } from '#lib/accounts/sign-up';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.askSignUp, async ({ body, address }) => {
    await askSignUp(await body(), address);
    return { body: { message: 'A mail is on its way to this address.' } };
  }),
});
