import { paymentToWire } from '#lib/accounts/gems-overview';
import { listPayments } from '#lib/accounts/payments/payments';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listPayments, async ({ caller, query }) => {
    const { data, nextCursor } = await listPayments(caller.accountId, query);
    return { body: { data: data.map(paymentToWire), next_cursor: nextCursor } };
  }),
});
