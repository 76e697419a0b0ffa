import { actorOf } from '#lib/accounts/audit';
import { grantGemsAs } from '#lib/accounts/govern';
import { ledgerToWire } from '#lib/accounts/ledger-to-wire';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.grantGems, async ({ caller, params, headers, body }) => {
    const key = headers['idempotency-key'];
    const row = await grantGemsAs(actorOf(caller), params.account_id, await body(), key);
    return { body: { balance: row.balanceAfter, entry: ledgerToWire(row) } };
  }),
});
