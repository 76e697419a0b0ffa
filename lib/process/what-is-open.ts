import type { Env } from '#lib/env';
import { isPrivate } from '#lib/env';

const WHO = {
  open: 'whoever reaches this address opens an account',
  invite: 'by invitation',
  closed: 'closed',
};

/** What a deployment lets anybody do, told at its start with the settings that change it. */
export function whatIsOpen(env: Env): string[] {
  const { SIGN_UP, STARTING_GEMS, METRICS_TOKEN, TRUST_PROXY } = env;
  const gems = SIGN_UP === 'open' ? `, with ${STARTING_GEMS} gems` : '';
  const metrics = METRICS_TOKEN ? 'for whoever has METRICS_TOKEN' : isPrivate(env) ? 'for this machine' : 'for nobody';
  const clients =
    TRUST_PROXY > 0
      ? `the last ${TRUST_PROXY > 1 ? `${TRUST_PROXY} entries` : 'entry'} of X-Forwarded-For`
      : 'their connection';
  return [
    `Sign-up   ${WHO[SIGN_UP]}${gems} (SIGN_UP)`,
    `/metrics  ${metrics} (METRICS_TOKEN)`,
    `Clients   told apart by ${clients} (TRUST_PROXY)`,
  ];
}
