import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { and, eq } from 'drizzle-orm';
import type { Account } from '#lib/accounts/accounts';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { makeSecretLink, spendSecretLink } from '#lib/accounts/secret-links';
import { listSignIns, requireEnabled, type SignIn } from '#lib/accounts/sign-ins';
import { countAttempt, forgiveAttempt } from '#lib/accounts/throttle';
import { db } from '#lib/db/client';
import { accounts, signIns } from '#lib/db/schema';
import { now } from '#lib/db/schema/columns';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';

// passkeys (WebAuthn) that the browser finds without a user name and unlocks with a fingerprint, a face or a PIN

const MINUTES = 5;
const MOST = 20;
/** EdDSA, ES256 and RS256 by their COSE numbers. Every authenticator supports one of them. */
const ALGORITHMS = { supportedAlgorithmIDs: [-8, -7, -257] };

type Holder = Pick<Account, 'id' | 'email' | 'name'>;

// imported on demand: the library is slow to load, and few processes need it
const webauthn = () => import('@simplewebauthn/server');

const relyingParty = () => ({ expectedOrigin: env().BASE_URL, expectedRPID: new URL(env().BASE_URL).hostname });

/** Purpose of a challenge. Only one for adding a passkey belongs to an account. */
type Purpose = { kind: 'passkey_add'; accountId: string } | { kind: 'passkey_use' };

const makeChallenge = async (purpose: Purpose): Promise<string> =>
  (await makeSecretLink({ ...purpose, seconds: MINUTES * 60 })).token;

/** Uses up the challenge that a browser signed, and returns it as the browser sent it. Throws when used or expired. */
async function spendChallenge(clientDataJSON: string, purpose: Purpose): Promise<string> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  const { challenge, token } = await orRefuse(async () => {
    const { challenge } = decodeClientDataJSON(clientDataJSON);
    return { challenge, token: Buffer.from(challenge, 'base64url').toString() };
  });
  const spent = await spendSecretLink(purpose.kind, token, db());
  if (!spent || spent.accountId !== ('accountId' in purpose ? purpose.accountId : null))
    throw new AppError('invalid_request', 'That took too long or was already sent. Try again.');
  return challenge;
}

/** Converts the library's errors about what the browser sent to `invalid_request`. */
async function orRefuse<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (cause) {
    throw new AppError('invalid_request', 'This passkey cannot be used here. Try another one.', {}, { cause });
  }
}

/** Returns the options with which the browser creates a passkey for the account. */
export async function askForPasskey(account: Holder): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await passkeysOf(account.id);
  if (known.length >= MOST)
    throw new AppError('quota_exceeded', `An account has at most ${MOST} passkeys. Remove one first.`);
  const { generateRegistrationOptions } = await webauthn();
  return await generateRegistrationOptions({
    rpName: 'Pomona',
    rpID: relyingParty().expectedRPID,
    userID: Uint8Array.from(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.name ?? account.email,
    challenge: await makeChallenge({ kind: 'passkey_add', accountId: account.id }),
    timeout: MINUTES * 60_000,
    excludeCredentials: known.map(({ subject, passkey }) => ({ id: subject, transports: passkey?.transports ?? [] })),
    ...ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Verifies and adds a passkey that the browser created. */
export async function addPasskey(account: Holder, response: RegistrationResponseJSON, name: string): Promise<void> {
  const expectedChallenge = await spendChallenge(response.response.clientDataJSON, {
    kind: 'passkey_add',
    accountId: account.id,
  });
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await orRefuse(() =>
    verifyRegistrationResponse({ response, expectedChallenge, ...ALGORITHMS, ...relyingParty() }),
  );
  if (!registrationInfo) throw new AppError('invalid_request', 'This passkey cannot be used here. Try another one.');
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  await db().transaction(async tx => {
    const passkey = { publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
    const added = await tx
      .insert(signIns)
      .values({ id: newId(), accountId: account.id, provider: 'passkey', subject: id, name, passkey })
      .onConflictDoNothing()
      .returning({ id: signIns.id });
    if (added.length === 0) throw new AppError('invalid_request', 'This passkey is already in use.');
    const sentence = `The passkey “${name}” was added to your account.`;
    await noteHolderAct(account, { act: 'passkey.add', sentence, after: { name } }, tx);
  });
}

/** Returns the options with which the browser signs in with any passkey that it has for this site. */
export async function challengePasskey(address: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  await countAttempt('LIMIT_PASSWORDS_PER_ADDRESS', address);
  const { generateAuthenticationOptions } = await webauthn();
  return await generateAuthenticationOptions({
    rpID: relyingParty().expectedRPID,
    challenge: await makeChallenge({ kind: 'passkey_use' }),
    timeout: MINUTES * 60_000,
    userVerification: 'required',
  });
}

/** Returns the account whose passkey signed the challenge. Throws `forbidden` when it is not `owner`, if given. */
export async function signInWithPasskey(
  response: AuthenticationResponseJSON,
  address: string,
  owner?: string,
): Promise<Account> {
  const expectedChallenge = await spendChallenge(response.response.clientDataJSON, { kind: 'passkey_use' });
  const [found] = await db()
    .select({ account: accounts, signIn: signIns })
    .from(signIns)
    .innerJoin(accounts, eq(accounts.id, signIns.accountId))
    .where(and(eq(signIns.provider, 'passkey'), eq(signIns.subject, response.id)));
  const passkey = found?.signIn.passkey;
  if (!found || !passkey) throw unknown();
  const { publicKey, counter, transports } = passkey;
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await orRefuse(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      ...relyingParty(),
      credential: {
        id: response.id,
        publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
        counter,
        transports,
      },
    }),
  );
  const { userHandle } = response.response;
  if (!verified || (userHandle && Buffer.from(userHandle, 'base64url').toString() !== found.account.id))
    throw unknown();
  if (owner && owner.toLowerCase() !== found.account.id)
    throw new AppError(
      'forbidden',
      'This passkey belongs to another account. Choose one of the account you are signed in to.',
    );
  requireEnabled(found.account);
  await db()
    .update(signIns)
    .set({
      passkey: { ...passkey, counter: authenticationInfo.newCounter },
      lastUsedAt: now,
    })
    .where(eq(signIns.id, found.signIn.id));
  await forgiveAttempt('LIMIT_PASSWORDS_PER_ADDRESS', address);
  return found.account;
}

const unknown = () => new AppError('unauthorized', 'No account has this passkey. It may have been removed.');

const passkeysOf = async (accountId: string): Promise<SignIn[]> =>
  (await listSignIns(accountId)).filter(({ provider }) => provider === 'passkey');
