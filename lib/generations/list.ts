import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { db } from '#lib/db/client';
import { holds } from '#lib/db/holds';
import { ofAccount } from '#lib/db/of-account';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { shownColumns, type ShownRequest } from '#lib/db/shown-request';
import { collectionItems, media, requestMentions, requests } from '#lib/db/schema';
import { taggedWith } from '#lib/generations/tags';
import { lowestIdAt } from '#lib/ids';
import type { Generation } from '#lib/life/generation';
import { expiringUntil, expiryOf } from '#lib/media/lifetime';
import { FINAL_LIST, isLive, liveIn, type Status } from '#lib/status';

/** What no index has: signs begin no word. */
const SIGNS_ALONE = /^[\p{P}\p{Sc}\p{Sk}\p{Sm}\s]+$/u;

interface GenerationFilter {
  limit: number;
  cursor?: string | undefined;
  status?: Status[] | undefined;
  architecture?: string | undefined;
  type?: Generation['type'][] | undefined;
  /** What words of the prompt must begin with, in any case and order. */
  q?: string | undefined;
  ids?: string[] | undefined;
  /** Handle of a character or reference that the prompt mentions. */
  mention?: string | undefined;
  favourite?: boolean | undefined;
  kept?: boolean | undefined;
  /** Those whose result expires within a week. */
  expiring?: boolean | undefined;
  collection?: string | undefined;
  tag?: string | undefined;
  removed?: boolean | undefined;
  /** Those that were accepted later. */
  since?: Date | undefined;
  /** The same where words are looked for: they lead to few rows, and a range of ids would be read instead of what they lead to. */
  madeSince?: Date | undefined;
}

/** Most words that are looked for are common: of so many rows for each of a page, the newest, one in ten with them fills it. */
const NEWEST_A_ROW = 10;

/** A page of the account's requests, newest first: ids are UUIDv7, so their order is that of time. */
export async function listGenerations(accountId: string, filter: GenerationFilter): Promise<Page<ShownRequest>> {
  const wanted = filter.limit + 1;
  const fits = and(...conditionsOf(accountId, filter));
  // word for word as the indexes have it, or rows are read that no page shows, to be sorted
  const order = desc(requests.id);
  if (hasLetters(filter.q)) {
    // The planner, which takes an account and its words to have nothing to do with each other, expects little of common words
    // and would fetch and sort all that they lead to.
    const newest = db()
      .select(shownColumns)
      .from(requests)
      .where(and(ofAccount(requests.accountId, accountId), olderThan(requests.id, filter.cursor)))
      .orderBy(order)
      .limit(wanted * NEWEST_A_ROW)
      .as('requests');
    const found = await db().select().from(newest).where(fits).orderBy(order).limit(wanted);
    if (found.length === wanted) return toPage(found, filter.limit, row => row.id);
  }
  const rows = await db().select(shownColumns).from(requests).where(fits).orderBy(order).limit(wanted);
  return toPage(rows, filter.limit, row => row.id);
}

const hasLetters = (q: string | undefined) => q !== undefined && !SIGNS_ALONE.test(q);

function conditionsOf(accountId: string, filter: GenerationFilter): (SQL | SQLWrapper | undefined)[] {
  return [
    // words are looked up in all of an account or read off its newest rows, whichever is less
    hasLetters(filter.q) ? eq(requests.accountId, accountId) : ofAccount(requests.accountId, accountId),
    olderThan(requests.id, filter.cursor),
    given(filter.status, statuses => inArray(requests.status, statuses)),
    filter.status?.every(isLive) ? isNull(requests.finishedAt) : undefined,
    given(filter.architecture, architecture => eq(requests.architecture, architecture)),
    given(filter.type, types => inArray(requests.type, types)),
    given(filter.ids, ids => inArray(requests.id, ids)),
    given(filter.mention, handle => inArray(requests.id, mentioning(accountId, handle))),
    given(filter.favourite, is => (is ? requests.favourite : not(requests.favourite))),
    given(filter.kept, is => (is ? requests.kept : not(requests.kept))),
    ...(filter.expiring ? expiringOf(accountId, new Date()) : []),
    given(filter.collection, id => inArray(requests.id, itemsOf(id))),
    given(filter.tag, tag => inArray(requests.id, taggedWith(accountId, tag))),
    given(filter.removed, is => (is ? isNotNull(requests.removedAt) : isNull(requests.removedAt))),
    given(filter.since, since => gt(requests.id, lowestIdAt(since))),
    given(filter.madeSince, since => gt(requests.createdAt, since)),
    ...(filter.q === undefined ? [] : hasWords(accountId, filter.q)),
  ];
}

/** The condition of a member of the filter; none where it is left out. */
const given = <T>(value: T | undefined, condition: (value: T) => SQL | SQLWrapper): SQL | SQLWrapper | undefined =>
  value === undefined ? undefined : condition(value);

const itemsOf = (collectionId: string) =>
  db()
    .select({ id: collectionItems.requestId })
    .from(collectionItems)
    .where(eq(collectionItems.collectionId, collectionId));

/**
 * Of the files, because what was kept and released late lives longer than others of its age. None ends before its days are over,
 * and ids are in the order of time, so that a range of them is read and no more.
 */
function expiringOf(accountId: string, now: Date): SQL[] {
  const until = expiringUntil(now);
  const youngest = now.getTime() - (expiryOf(now).getTime() - until.getTime());
  const ends = sql`${media.kind} = 'result' and ${media.deletedAt} is null
    and ${media.expiresAt} > ${now} and ${media.expiresAt} <= ${until}`;
  return [
    lt(requests.id, lowestIdAt(new Date(youngest))),
    // as a text, because there is no least uuid, and the first of all in an order would be looked for among all files
    sql`${requests.id} >= (select min(${media.requestId}::text)::uuid from ${media}
      where ${media.accountId} = ${accountId} and ${ends})`,
    sql`exists (select from ${media} where ${media.requestId} = ${requests.id} and ${ends})`,
  ];
}

const mentioning = (accountId: string, handle: string) =>
  db()
    .select({ id: requestMentions.requestId })
    .from(requestMentions)
    .where(and(eq(requestMentions.accountId, accountId), eq(requestMentions.handle, handle)));

/**
 * That words of the prompt begin so, punctuation and all: what is cheap to compare stands for itself, so that no row is taken apart
 * that has not the letters. Two arms, because the index holds only what is final. What has the words has the letters: if the planner
 * counted that once more, it would look a common word up like a rare one, where the newest rows have a page of it.
 */
function hasWords(accountId: string, text: string): SQL[] {
  // an é may be one sign or an e with its accent, and looks the same
  const forms = [...new Set([text.normalize('NFC'), text.normalize('NFD')])];
  // signs without a letter begin no word
  const query = sql.join(
    forms.map(form => sql`account_words_beginning(${accountId}, ${form})`),
    sql` || `,
  );
  const begins = sql`((${query}) is null or account_words(${requests.accountId}, ${requests.prompt}) @@ (${query}))`;
  const arm = (which: string) => sql`(${sql.raw(which)} and ${begins})`;
  const words = forms.map(form => form.split(/\s+/).filter(Boolean));
  return [
    sql`(${arm(`requests.status in (${FINAL_LIST})`)} or ${arm(liveIn())})`,
    ...words[0]!.map((_, at) => sql`coalesce(${or(...words.map(form => holds(requests.prompt, form[at]!)))}, false)`),
  ];
}
