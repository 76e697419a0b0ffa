import { askSignUp } from '#lib/accounts/sign-up';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.askSignUp, async ({ body, address }) => {
    await askSignUp(await body(), address);
    return { body: { message: 'A mail is on its way to this address.' } };
  }),
});
