import { paymentToWire } from '#lib/accounts/gems-overview';
import { readBalance } from '#lib/accounts/ledger';
import { topUp } from '#lib/accounts/top-up';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.topUp, async ({ caller, headers, body }) => {
    const { gems } = await body();
    const { payment, url } = await topUp(caller.accountId, gems, headers['idempotency-key']);
    return { body: { payment: paymentToWire(payment), url, balance: await readBalance(caller.accountId) } };
  }),
});
