import { sql } from 'drizzle-orm';
import { errors, type Interaction } from 'oidc-provider';
import { createApiKey, type NewApiKey } from '#lib/accounts/api-keys';
import { noteHolderAct, type Holder } from '#lib/accounts/holder-acts';
import { revokeIt } from '#lib/accounts/own-keys';
import { briefly } from '#lib/beginning';
import { db, type Tx } from '#lib/db/client';
import { transactionOf } from '#lib/db/in-turn';
import { env } from '#lib/env';
import { AppError, invalid } from '#lib/errors';
import { authorizationServer } from '#lib/oauth/authorization-server';
import { asNode } from '#lib/oauth/serve-oauth';
import { SCOPES, type Scope } from '#lib/scopes';
import { hashSecret } from '#lib/secrets';

/** Access that an app requests from a user. */
interface Question {
  /** Name that the app gives itself, unverified. */
  name: string;
  /** Destination of the authorization code: a host, or a custom URL scheme on the user's machine. */
  returnsTo: string;
  scopes: Scope[];
}

/** Returns the question put to this browser. Throws `not_found` when it has ended or belongs to another browser. */
export async function getQuestion(uid: string, cookie: string | null): Promise<Question> {
  return describe((await open(uid, cookie)).interaction);
}

/** Access that a user grants an app, at most what the app asked for. */
type Given = Pick<NewApiKey, 'expiresAt' | 'monthlyBudget'> & { scopes: Scope[] };

/** Grants the app access, or with null declines. Returns the URL that tells the app. Throws like `getQuestion`. */
export async function answerQuestion(
  holder: Holder,
  uid: string,
  cookie: string | null,
  given: Given | null,
): Promise<string> {
  const { interaction, finish } = await open(uid, cookie);
  const accountId = holder.id;
  if (isAnswered(interaction, accountId, given)) return interaction.returnTo;
  if (!given) {
    await close(uid, db());
    return finish({ error: 'access_denied', error_description: 'The user declined.' });
  }
  const { scopes: asked, name, returnsTo } = await describe(interaction);
  const beyond = given.scopes.find(scope => !asked.includes(scope));
  if (beyond) throw invalid('invalid_request', [{ path: '/scopes', message: `The app did not ask for ${beyond}.` }]);
  const app = { clientId: String(interaction.params.client_id), returnsTo };
  const connection = await transactionOf(accountId, async tx => {
    await close(uid, tx);
    const made = await createApiKey(accountId, { ...given, name, app }, tx);
    const after = { name, returns_to: returnsTo, scopes: given.scopes };
    const sentence = `The app “${name}” (${returnsTo}) was given access to your account.`;
    await noteHolderAct(holder, { act: 'app.let_in', sentence, after, otherwise: revokeIt() }, tx);
    return made;
  });
  return finish({ login: { accountId }, consent: { grantId: connection.id } });
}

/** Whether a grant by this account, or a refusal, is recorded: its response may be lost, so it may be repeated. */
const isAnswered = ({ result }: Interaction, accountId: string, given: Given | null): boolean =>
  given ? result?.login?.accountId === accountId : result?.error !== undefined;

/** Closes the question. Throws when it was answered before, since each answer would create a connection. */
async function close(uid: string, tx: Tx): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    update oauth_records set payload = payload || '{"answered": true}'
    where model = 'Interaction' and hash = ${hashSecret(uid)} and not payload ?| array['answered', 'result']`);
  if (!rowCount) throw isOver();
}

/** Opens the question. Requires the cookie set along with it, so that a user cannot answer another user's question. */
async function open(uid: string, cookie: string | null) {
  const { incoming, outgoing } = asNode(new Request(env().BASE_URL, { headers: { cookie: cookie ?? '' } }));
  const server = authorizationServer();
  const interaction = await server.interactionDetails(incoming, outgoing).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  });
  if (interaction?.uid !== uid) throw isOver();
  return {
    interaction,
    finish: (result: Parameters<typeof server.interactionResult>[2]) =>
      server.interactionResult(incoming, outgoing, result, { mergeWithLastSubmission: false }),
  };
}

const isOver = () =>
  new AppError('not_found', 'This request has ended, or was opened in another browser. Start again in the app.');

async function describe({ params }: Interaction): Promise<Question> {
  const client = await findClient(String(params.client_id));
  if (!client) throw new AppError('not_found', 'This app is no longer registered here. Start again in the app.');
  const wanted = String(params.scope ?? '').split(' ');
  const scopes = SCOPES.filter(scope => wanted.includes(scope));
  const returnsTo = hostOf(String(params.redirect_uri));
  return { name: plain(client.clientName) || returnsTo, returnsTo, scopes };
}

/** Finds an app; null when it is no longer registered, or its metadata document is not available. */
const findClient = async (id: string) =>
  (await authorizationServer()
    .Client.find(id)
    .catch((error: unknown) => {
      if (error instanceof errors.OIDCProviderError) return null;
      throw error;
    })) ?? null;

const hostOf = (address: string): string => {
  const { protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) ? hostname : protocol;
};

/** Cleans a name for display: one line of at most 60 characters, without control or bidirectional characters. */
const plain = (name = ''): string => briefly(name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim(), 60);
