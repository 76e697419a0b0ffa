import { endSessions, listSessions } from '#lib/accounts/sessions';
import { sessionToWire } from '#lib/accounts/session-to-wire';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listSessions, async ({ caller: { accountId, sessionId } }) => {
    const sessions = await listSessions(accountId);
    return { body: { data: sessions.map(session => sessionToWire(session, sessionId)) } };
  }),
  DELETE: route(studioOperations.endOtherSessions, async ({ caller: { accountId, sessionId } }) => {
    await endSessions(accountId, { except: sessionId });
    return {};
  }),
});
