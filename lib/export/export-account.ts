import { and, asc, gt, ne, sql } from 'drizzle-orm';
import { readProfile } from '#lib/accounts/account-to-wire';
import { getAccount } from '#lib/accounts/accounts';
import { apiKeysToWire } from '#lib/accounts/api-key-to-wire';
import { listApiKeys } from '#lib/accounts/api-keys';
import { listAudit } from '#lib/accounts/audit';
import { auditToWire } from '#lib/accounts/audit-to-wire';
import { paymentToWire } from '#lib/accounts/gems-overview';
import { noteHolderAct } from '#lib/accounts/holder-acts';
import { ledgerCsv } from '#lib/accounts/ledger-csv';
import { listPayments } from '#lib/accounts/payments/payments';
import { countAttempt } from '#lib/accounts/throttle';
import { listCharacters } from '#lib/cast/characters';
import { listReferences } from '#lib/cast/references';
import { characterToWire, referenceToWire } from '#lib/cast/to-wire';
import { db } from '#lib/db/client';
import { ofAccount } from '#lib/db/of-account';
import { PAGE, pagesOf } from '#lib/db/page';
import { media } from '#lib/db/schema';
import { listGenerations } from '#lib/generations/list';
import { readWhole } from '#lib/generations/read';
import { toDetailWire } from '#lib/generations/to-wire';
import { listCollections, readItems, type Collection } from '#lib/library/collections';
import { listPresets } from '#lib/library/presets';
import { listShares } from '#lib/library/shares';
import { collectionToWire, presetToWire, shareToWire } from '#lib/library/to-wire';
import { isLive, type MediaRow } from '#lib/media/find-media';
import { noticesToWire } from '#lib/notices/to-wire';
import { listRuns, type Run } from '#lib/recipes/runs';
import { toRunWire } from '#lib/recipes/to-wire';
import { zipFiles, type ZipFile } from '#lib/storage/zip-files';
import { listUploads } from '#lib/uploads/uploads';
import { webhookToWire } from '#lib/webhooks/to-wire';
import { listWebhooks } from '#lib/webhooks/webhooks';

const ABOUT = `All that this account has at Pomona.

account.json       the account, its ways to sign in and its API keys; no secret is in it
activity.json      what was done to the account
requests.json      every request, newest first, as the API answers it
runs.json          runs of recipes, with the ids of their requests
ledger.csv         every gem that came or went
payments.json      payments for gems
characters.json    saved characters
references.json    saved references
collections.json   collections, with the ids of what is in them
presets.json       presets and styles
shares.json        pages that are open to whoever has their address
uploads.json       uploads, with the names that their files had
notices.json       the newest of what the account was told, and what it wants to be told
webhooks.json      webhooks, without their secrets
media.json         every file, and which request it belongs to
media/             the files themselves, as far as they had not expired
`;

/** Returns all data of an account as a zip stream, and records the export. Throws `too_many_requests`. */
export async function exportAccount(accountId: string): Promise<ReadableStream<Uint8Array>> {
  await countAttempt('LIMIT_EXPORTS', accountId);
  const account = await getAccount(accountId);
  await db().transaction(tx =>
    noteHolderAct(account, { act: 'account.export', sentence: 'All data of your account was downloaded.' }, tx),
  );
  return zipFiles(filesOf(accountId));
}

async function* filesOf(accountId: string): AsyncGenerator<ZipFile> {
  const lastModified = new Date();
  const file = (name: string, text: string | AsyncIterable<string>): ZipFile => ({ name, lastModified, text });
  const list = <Row>(name: string, rows: Rows<Row>, toWire: (row: Row) => unknown) => file(name, jsonOf(rows, toWire));
  yield file('README.txt', ABOUT);
  yield file('account.json', JSON.stringify(await readFacts(accountId), null, 2));
  const activity = pagesOf(page => listAudit({ accountId, ...page }));
  yield list('activity.json', activity, auditToWire);
  const generations = pagesOf(async page => {
    const { data, nextCursor } = await listGenerations(accountId, page);
    return { data: await readWhole(data), nextCursor };
  });
  yield list('requests.json', generations, toDetailWire);
  const runs = pagesOf(page => listRuns(accountId, page));
  yield list('runs.json', runs, runFacts);
  yield file('ledger.csv', ledgerCsv(accountId));
  const payments = pagesOf(page => listPayments(accountId, page));
  yield list('payments.json', payments, paymentToWire);
  const characters = pagesOf(page => listCharacters(accountId, page));
  yield list('characters.json', characters, characterToWire);
  const references = pagesOf(page => listReferences(accountId, page));
  yield list('references.json', references, referenceToWire);
  yield list('collections.json', await listCollections(accountId), collectionFacts);
  yield list('presets.json', await listPresets(accountId), presetToWire);
  yield list('shares.json', await listShares(accountId), shareToWire);
  const uploads = pagesOf(async page => {
    const { data, next_cursor: nextCursor } = await listUploads(accountId, page);
    return { data, nextCursor };
  });
  yield list('uploads.json', uploads, upload => upload);
  yield file('notices.json', JSON.stringify(await noticesToWire(accountId), null, 2));
  yield list('webhooks.json', await listWebhooks(accountId), webhookToWire);
  yield list('media.json', mediaOf(accountId), mediaFacts);
  for await (const row of mediaOf(accountId))
    if (isLive(row)) yield { name: nameOf(row), lastModified: row.createdAt, key: row.key, bytes: row.bytes };
}

async function readFacts(accountId: string) {
  const [profile, keys] = await Promise.all([
    readProfile(await getAccount(accountId)),
    listApiKeys(accountId).then(apiKeysToWire),
  ]);
  return { ...profile, api_keys: keys };
}

async function collectionFacts(collection: Collection) {
  const { cover, ...facts } = collectionToWire(collection);
  const items = await readItems(collection.row.id);
  return { ...facts, cover_id: cover?.request_id ?? null, request_ids: items.map(({ id }) => id) };
}

async function runFacts(run: Run) {
  const { steps, ...facts } = await toRunWire(run);
  const stepFacts = ({ requests, ...step }: (typeof steps)[number]) => ({
    ...step,
    request_ids: requests.map(({ request_id }) => request_id),
  });
  return { ...facts, steps: steps.map(stepFacts) };
}

type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;

/** Yields a JSON array with one element per line. */
async function* jsonOf<Row>(rows: Rows<Row>, toWire: (row: Row) => unknown): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield before + JSON.stringify(await toWire(row));
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** Yields the media rows of the account, oldest first, without the smaller forms. */
const mediaOf = (accountId: string): AsyncGenerator<MediaRow> =>
  pagesOf(async ({ cursor }) => {
    const data = await db()
      .select()
      .from(media)
      .where(
        and(
          ofAccount(media.accountId, accountId),
          ne(media.kind, 'preview'),
          cursor === undefined ? undefined : gt(media.id, sql`${cursor}::uuid`),
        ),
      )
      .orderBy(asc(media.id))
      .limit(PAGE);
    return { data, nextCursor: data.length < PAGE ? null : (data.at(-1)?.id ?? null) };
  });

const nameOf = ({ id, kind, key }: MediaRow): string => `media/${kind}/${id}${key.slice(key.lastIndexOf('.'))}`;

const mediaFacts = (row: MediaRow) => ({
  file: isLive(row) ? nameOf(row) : null,
  kind: row.kind,
  request_id: row.requestId,
  content_type: row.contentType,
  bytes: row.bytes,
  width: row.width,
  height: row.height,
  duration: row.duration,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
});
