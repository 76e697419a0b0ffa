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

/** What an app asks a person for. */
interface Question {
  /** As the app calls itself, which nobody checked. */
  name: string;
  /** Where it gets what it is let in with: a host, or a scheme of its own on the person's machine. */
  returnsTo: string;
  scopes: Scope[];
}

/** The question that this browser was sent to answer. Throws `not_found` when it is over, or another browser's. */
export async function getQuestion(uid: string, cookie: string | null): Promise<Question> {
  return describe((await open(uid, cookie)).interaction);
}

/** What a person gives an app: at most what it asks for. */
type Given = Pick<NewApiKey, 'expiresAt' | 'monthlyBudget'> & { scopes: Scope[] };

/** Lets the app act for the account, or with null refuses to; gives the address at which it hears of that. Throws as `getQuestion` does. */
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

/** Whether this very answer was given before, and may have been lost on its way: given again it changes nothing. */
const isAnswered = ({ result }: Interaction, accountId: string, given: Given | null): boolean =>
  given ? result?.login?.accountId === accountId : result?.error !== undefined;

/** Of several answers to one question the first counts, however they come: each would make a connection. */
async function close(uid: string, tx: Tx): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    update oauth_records set payload = payload || '{"answered": true}'
    where model = 'Interaction' and hash = ${hashSecret(uid)} and not payload ?| array['answered', 'result']`);
  if (!rowCount) throw isOver();
}

/** The browser has to show the cookie that it was given with the question: nobody answers what somebody else was asked. */
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

/** Null when it is not registered any more, or its address does not say what it is. */
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

/** A name in one short line, without what turns letters around or hides them; of a long one it is seen that it goes on. */
const plain = (name = ''): string => briefly(name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim(), 60);
