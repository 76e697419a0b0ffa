import { actorOf } from '#lib/accounts/audit';
import { inviteAs } from '#lib/accounts/govern';
import { inviteToWire } from '#lib/accounts/invite-to-wire';
import { listInvites } from '#lib/accounts/invites';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listInvites, async ({ query }) => {
    const { data, nextCursor } = await listInvites(query);
    return { body: { data: data.map(inviteToWire), next_cursor: nextCursor } };
  }),
  POST: route(studioOperations.createInvite, async ({ caller, body }) => {
    const invite = await inviteAs(actorOf(caller), await body());
    return { body: { ...inviteToWire(invite), url: invite.url } };
  }),
});
