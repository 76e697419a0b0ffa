import { getAccount } from '#lib/accounts/accounts';
import { beginSecondStep, confirmSecondStep, removeSecondStep } from '#lib/accounts/second-step';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(accountOperations.beginSecondStep, async ({ caller }) => ({
    body: await beginSecondStep(await getAccount(caller.accountId)),
  })),
  PUT: route(accountOperations.confirmSecondStep, async ({ caller, body }) => {
    const { code } = await body();
    return { body: { recovery_codes: await confirmSecondStep(await getAccount(caller.accountId), code) } };
  }),
  DELETE: route(accountOperations.removeSecondStep, async ({ caller }) => {
    await removeSecondStep(await getAccount(caller.accountId));
    return {};
  }),
});
