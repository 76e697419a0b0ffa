import { listLedger } from '#lib/accounts/ledger';
import { ledgerToWire } from '#lib/accounts/ledger-to-wire';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listLedger, async ({ caller, query }) => {
    const { data, nextCursor } = await listLedger(caller.accountId, query);
    return { body: { data: data.map(ledgerToWire), next_cursor: nextCursor } };
  }),
});
