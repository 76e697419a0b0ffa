import { actorOf, recordAct } from '#lib/accounts/audit';
import { checkLedger } from '#lib/ledger-check/check-ledger';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.runLedgerCheck, async ({ caller }) => {
    const invariants = await checkLedger();
    const ok = invariants.every(invariant => invariant.ok);
    await recordAct(actorOf(caller), { act: 'ledger.check', subject: 'ledger', after: { ok } });
    return { body: { ok, invariants } };
  }),
});
