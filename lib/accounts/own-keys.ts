import {
  changeBudget,
  createApiKey,
  revokeApiKey,
  rollApiKey,
  type ApiKey,
  type NewApiKey,
} from '#lib/accounts/api-keys';
import { noteHolderAct, recordHolderAct, type Holder } from '#lib/accounts/holder-acts';
import { transactionOf } from '#lib/db/in-turn';
import { env } from '#lib/env';

// acts of a holder on the keys of their account; each is recorded in the audit log, in the transaction that performs it

const factsOf = ({ name, lastFour }: ApiKey) => ({ name, lastFour });

export const createOwnKey = (holder: Holder, input: NewApiKey): Promise<ApiKey & { key: string }> =>
  transactionOf(holder.id, async tx => {
    const made = await createApiKey(holder.id, input, tx);
    const { name, lastFour } = made;
    const sentence = `The API key “${name}” (…${lastFour}) was created for your account.`;
    await noteHolderAct(holder, { act: 'key.create', sentence, after: factsOf(made), otherwise: revokeIt() }, tx);
    return made;
  });

export const rollOwnKey = (holder: Holder, keyId: string, hours: number): Promise<ApiKey & { key: string }> =>
  transactionOf(holder.id, async tx => {
    const rolled = await rollApiKey(holder.id, keyId, hours, tx);
    await recordHolderAct(holder, { act: 'key.roll', after: factsOf(rolled) }, tx);
    return rolled;
  });

export const revokeOwnKey = (holder: Holder, keyId: string): Promise<ApiKey> =>
  revokeApiKey(holder.id, keyId, (revoked, tx) =>
    recordHolderAct(holder, { act: 'key.revoke', before: factsOf(revoked) }, tx),
  );

/** Changes the monthly budget of a key; null for none. */
export const changeOwnBudget = (holder: Holder, keyId: string, monthlyBudget: number | null): Promise<ApiKey> =>
  transactionOf(holder.id, async tx => {
    const { before, after } = await changeBudget(holder.id, keyId, monthlyBudget, tx);
    const factsWithBudget = (key: ApiKey) => ({ ...factsOf(key), monthlyBudget: key.monthlyBudget });
    const facts = { before: factsWithBudget(before), after: factsWithBudget(after) };
    if (before.monthlyBudget !== monthlyBudget) await recordHolderAct(holder, { act: 'key.budget', ...facts }, tx);
    return after;
  });

/** Returns the advice to a holder about a key or an app that they do not recognise. */
export const revokeIt = (): string =>
  `revoke it, choose a new password and check who is signed in:\n\n${env().BASE_URL}/account/api\n${env().BASE_URL}/account/security`;
