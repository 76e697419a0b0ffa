import { getAccount } from '#lib/accounts/accounts';
import { renewRecoveryCodes } from '#lib/accounts/second-step';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.renewRecoveryCodes, async ({ caller }) => ({
    body: { recovery_codes: await renewRecoveryCodes(await getAccount(caller.accountId)) },
  })),
});
