import { listAudit } from '#lib/accounts/audit';
import { auditToWire } from '#lib/accounts/audit-to-wire';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listAudit, async ({ query: { account_id: accountId, ...query } }) => {
    const { data, nextCursor } = await listAudit({ ...query, accountId });
    return { body: { data: data.map(auditToWire), next_cursor: nextCursor } };
  }),
});
