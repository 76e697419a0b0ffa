import { holderOf } from '#lib/accounts/holder-acts';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { answerQuestion } from '#lib/oauth/consent';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.answerConsent, async ({ caller, params, headers, body }) => {
    const { given } = await body();
    const redirect_to = await answerQuestion(
      holderOf(caller),
      params.uid,
      headers.cookie ?? null,
      given && {
        scopes: given.scopes,
        monthlyBudget: given.monthly_budget,
        expiresAt: given.expires_at ? new Date(given.expires_at) : null,
      },
    );
    return { body: { redirect_to } };
  }),
});
