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

/** Texts of punctuation and symbols only, which the word index does not contain. */
const SIGNS_ALONE = /^[\p{P}\p{Sc}\p{Sk}\p{Sm}\s]+$/u;

interface GenerationFilter {
  limit: number;
  cursor?: string | undefined;
  status?: Status[] | undefined;
  architecture?: string | undefined;
  type?: Generation['type'][] | undefined;
  /** Prefixes of words of the prompt, in any order, ignoring case. */
  q?: string | undefined;
  ids?: string[] | undefined;
  /** Handle of a character or reference mentioned in the prompt. */
  mention?: string | undefined;
  favourite?: boolean | undefined;
  kept?: boolean | undefined;
  /** Only requests whose result expires within a week. */
  expiring?: boolean | undefined;
  collection?: string | undefined;
  tag?: string | undefined;
  removed?: boolean | undefined;
  /** Only requests accepted after this time. */
  since?: Date | undefined;
  /** Like `since`, for use with `q`: given a range of ids, the planner would scan that instead of the word index. */
  madeSince?: Date | undefined;
}

/** Newest rows that a word search reads first, for each row of a page: enough when one in ten has the words. */
const NEWEST_A_ROW = 10;

/** Lists a page of the account's requests, newest first. Ids are UUIDv7, so they sort by time. */
export async function listGenerations(accountId: string, filter: GenerationFilter): Promise<Page<ShownRequest>> {
  const wanted = filter.limit + 1;
  const fits = and(...conditionsOf(accountId, filter));
  // the exact order of the indexes; for any other, more rows than the page shows would be read and sorted
  const order = desc(requests.id);
  if (hasLetters(filter.q)) {
    // the planner assumes that account and words are independent, so it underestimates common words and would fetch
    // and sort all of their rows
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
    // with words, the planner needs the account to choose between the word index and the newest rows
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

/** Returns the condition for a member of the filter; undefined when the member is left out. */
const given = <T>(value: T | undefined, condition: (value: T) => SQL | SQLWrapper): SQL | SQLWrapper | undefined =>
  value === undefined ? undefined : condition(value);

const itemsOf = (collectionId: string) =>
  db()
    .select({ id: collectionItems.requestId })
    .from(collectionItems)
    .where(eq(collectionItems.collectionId, collectionId));

/**
 * Checks the expiry of the files, because a result that was kept and released late expires later than others of its
 * age. No result expires before its 30 days, and ids sort by time, so only a range of ids is read.
 */
function expiringOf(accountId: string, now: Date): SQL[] {
  const until = expiringUntil(now);
  const youngest = now.getTime() - (expiryOf(now).getTime() - until.getTime());
  const ends = sql`${media.kind} = 'result' and ${media.deletedAt} is null
    and ${media.expiresAt} > ${now} and ${media.expiresAt} <= ${until}`;
  return [
    lt(requests.id, lowestIdAt(new Date(youngest))),
    // as text, because Postgres has no min(uuid), and `order by` with `limit 1` could scan the files of all accounts
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
 * SQL conditions: whether words of the prompt begin with those of `text`. Substring conditions are cheap, and spare
 * most rows from being split into words; `coalesce` keeps them out of the planner's estimate, or common words would
 * seem rare and be looked up in the index. There are two arms, because the index has final requests only.
 */
function hasWords(accountId: string, text: string): SQL[] {
  // an é may be one code point or an e with a combining accent
  const forms = [...new Set([text.normalize('NFC'), text.normalize('NFD')])];
  // null when the text has no letters, because punctuation begins no word
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
