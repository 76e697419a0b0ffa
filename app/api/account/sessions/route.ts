import { endSessions, listSessions } from '#lib/accounts/sessions';
import { sessionToWire } from '#lib/accounts/session-to-wire';
import { accountOperations } from '#lib/contract/account-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(accountOperations.listSessions, async ({ caller: { accountId, sessionId } }) => {
    const sessions = await listSessions(accountId);
    return { body: { data: sessions.map(session => sessionToWire(session, sessionId)) } };
  }),
  DELETE: route(accountOperations.endOtherSessions, async ({ caller: { accountId, sessionId } }) => {
    await endSessions(accountId, { except: sessionId });
    return {};
  }),
});
