import { createHmac } from 'node:crypto';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { countAttempt, forgetAttempts } from '#lib/accounts/throttle';
import { db } from '#lib/db/client';
import { secondSteps } from '#lib/db/schema';
import { invalid } from '#lib/errors';
import { isSameSecret, secret } from '#lib/secrets';

type SecondStep = typeof secondSteps.$inferSelect;

const RECOVERY_CODES = 10;

/** Derives the seed of codes from the deployment's secret key, so that no seed is stored. */
const seedOf = (of: string): Secret => {
  const bytes = createHmac('sha256', secret('second-step')).update(of).digest();
  return new Secret({ buffer: Uint8Array.from(bytes.subarray(0, 20)).buffer });
};

export const appOf = ({ id }: Pick<SecondStep, 'id'>, label = ''): TOTP =>
  new TOTP({ issuer: 'Pomona', label, secret: seedOf(`app ${id}`) });

/** Returns all recovery codes of the current edition, 50 bits each, such as `k3w7q-2abcd`. */
export const recoveryCodesOf = ({ id, recoveryEdition }: Pick<SecondStep, 'id' | 'recoveryEdition'>): string[] =>
  Array.from({ length: RECOVERY_CODES }, (_, n) => {
    const letters = seedOf(`recovery ${id} ${recoveryEdition} ${n}`).base32.toLowerCase();
    return `${letters.slice(0, 5)}-${letters.slice(5, 10)}`;
  });

/**
 * Whether the second step is passed: true when the account has none or the code is right, false when a code is required
 * and missing. Throws when the code is wrong or was used before.
 */
export async function passSecondStep(accountId: string, code: string | undefined): Promise<boolean> {
  const step = await findStep(accountId);
  if (!step?.confirmedAt) return true;
  if (code === undefined) return false;
  await requireCode(step, code, (step, code) =>
    /^\d{6}$/.test(code) ? takeAppCode(step, code) : takeRecoveryCode(step, code),
  );
  return true;
}

export async function requireCode(
  step: SecondStep,
  code: string,
  take: (step: SecondStep, code: string) => Promise<boolean>,
): Promise<void> {
  await countAttempt('LIMIT_CODES', step.accountId);
  if (!(await take(step, code.replaceAll(/\s/g, '').toLowerCase()))) {
    const message = 'This code is wrong, expired or already used. Wait for the next one.';
    throw invalid('invalid_request', [{ path: '/code', message }]);
  }
  await forgetAttempts('LIMIT_CODES', step.accountId);
}

/** Accepts a code of the app once. Refuses codes older than the last one accepted. */
export async function takeAppCode(step: SecondStep, token: string): Promise<boolean> {
  const [app, timestamp] = [appOf(step), Date.now()];
  const delta = app.validate({ token, timestamp, window: 1 });
  if (delta === null) return false;
  const at = app.counter({ timestamp }) + delta;
  const taken = await db()
    .update(secondSteps)
    .set({ lastCode: at })
    .where(and(eq(secondSteps.id, step.id), or(isNull(secondSteps.lastCode), lt(secondSteps.lastCode, at))))
    .returning({ id: secondSteps.id });
  return taken.length > 0;
}

async function takeRecoveryCode(step: SecondStep, code: string): Promise<boolean> {
  const n = recoveryCodesOf(step).findIndex(right => isSameSecret(right.replace('-', ''), code.replace('-', '')));
  if (n < 0) return false;
  const taken = await db()
    .update(secondSteps)
    .set({ recoveryLeft: sql`array_remove(${secondSteps.recoveryLeft}, ${n}::int)` })
    .where(and(eq(secondSteps.id, step.id), sql`${n}::int = any(${secondSteps.recoveryLeft})`))
    .returning({ id: secondSteps.id });
  return taken.length > 0;
}

export const allCodes = (): number[] => Array.from({ length: RECOVERY_CODES }, (_, n) => n);

export async function findStep(accountId: string): Promise<SecondStep | null> {
  const [step] = await db().select().from(secondSteps).where(eq(secondSteps.accountId, accountId));
  return step ?? null;
}
