import { getAccount } from '#lib/accounts/accounts';
import { beginSecondStep, confirmSecondStep, removeSecondStep } from '#lib/accounts/second-step';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.beginSecondStep, async ({ caller }) => ({
    body: await beginSecondStep(await getAccount(caller.accountId)),
  })),
  PUT: route(studioOperations.confirmSecondStep, async ({ caller, body }) => {
    const { code } = await body();
    return { body: { recovery_codes: await confirmSecondStep(await getAccount(caller.accountId), code) } };
  }),
  DELETE: route(studioOperations.removeSecondStep, async ({ caller }) => {
    await removeSecondStep(await getAccount(caller.accountId));
    return {};
  }),
});
