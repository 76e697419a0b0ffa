import type { Submission } from '#components/generations/visit';
import type { RequestWire } from '#lib/contract/schemas';

/** One result of a press: the request, or what was sent while there is none. */
export interface Place {
  key: string;
  request?: RequestWire;
  submission?: Submission;
}

/** One press of Create and what it makes, in fixed places. */
export interface Group {
  key: string;
  places: Place[];
}

interface Item {
  place: Place;
  at: number;
  /** Among those of its press, as this tab has sent them; of others the seed, for they arrive in any order. */
  order: number;
}

const MOST = 4;
/** Requests of one press arrive together; nobody presses twice as fast. */
const TOGETHER_MS = 500;

/**
 * Everything on the stage, newest first. Of what this tab has sent it knows the press; of anything else, requests that came at
 * one moment and differ in nothing but their seeds are one press.
 */
export function toGroups(visit: readonly Submission[], requests: readonly RequestWire[]): Group[] {
  const groups = new Map<string, Item[]>();
  let last: { key: string; request: RequestWire } | undefined;
  for (const item of itemsOf(visit, requests)) {
    const { submission, request } = item.place;
    const isMore =
      !submission && last && request && isSamePress(last.request, request) && groups.get(last.key)!.length < MOST;
    const key = submission?.group ?? (isMore ? last!.key : item.place.key);
    if (!submission && request) last = { key, request };
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return Array.from(groups.values(), items => {
    // its oldest request names a group: newer ones may still come
    const oldest = items.at(-1)!.place;
    // seeds in a row go on from 0 after the last
    const places = items.toReversed().toSorted((a, b) => (a.order - b.order) | 0);
    return { key: oldest.submission?.group ?? oldest.key, places: places.map(({ place }) => place) };
  });
}

/** Requests and what has not become one, newest first; what waits for an answer is newer than any. */
function itemsOf(visit: readonly Submission[], requests: readonly RequestWire[]): Item[] {
  const sent = new Map(visit.map((submission, order) => [submission.requestId, { submission, order }]));
  const open = visit.flatMap((submission, order): Item[] => {
    const at = submission.refusal ? submission.createdAt : Infinity;
    return submission.requestId ? [] : [{ place: { key: submission.key, submission }, at, order }];
  });
  const made = requests.map((request): Item => {
    const known = sent.get(request.request_id);
    const place = {
      key: known?.submission.key ?? request.request_id,
      request,
      ...(known && { submission: known.submission }),
    };
    return { place, at: Date.parse(request.created_at), order: known?.order ?? request.seed ?? 0 };
  });
  return [...open, ...made].toSorted((a, b) => (a.at === b.at ? 0 : b.at - a.at));
}

const isSamePress = (a: RequestWire, b: RequestWire): boolean =>
  Math.abs(Date.parse(a.created_at) - Date.parse(b.created_at)) <= TOGETHER_MS && pressOf(a) === pressOf(b);

const pressOf = ({ architecture, model_id, prompt, billing, expected }: RequestWire): string =>
  JSON.stringify([architecture, model_id, prompt, billing.gems_charged, expected]);
