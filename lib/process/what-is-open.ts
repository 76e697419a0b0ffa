import type { Env } from '#lib/env';
import { isPrivate } from '#lib/env';

const WHO = {
  open: 'open to anyone who reaches this address',
  invite: 'by invitation only',
  closed: 'closed',
};

/** Returns the lines printed at the start: who may use what, and the setting that changes each. */
export function whatIsOpen(env: Env): string[] {
  const { SIGN_UP, STARTING_GEMS, METRICS_TOKEN, TRUST_PROXY } = env;
  const gems = SIGN_UP === 'open' ? `; new accounts get ${STARTING_GEMS} gems` : '';
  const metrics = METRICS_TOKEN ? 'with METRICS_TOKEN only' : isPrivate(env) ? 'from this machine only' : 'off';
  const clients =
    TRUST_PROXY > 0
      ? `the last ${TRUST_PROXY > 1 ? `${TRUST_PROXY} entries` : 'entry'} of X-Forwarded-For`
      : 'their connection';
  return [
    `Sign-up   ${WHO[SIGN_UP]}${gems} (SIGN_UP)`,
    `/metrics  ${metrics} (METRICS_TOKEN)`,
    `Clients   identified by ${clients} (TRUST_PROXY)`,
  ];
}
