import type { Submission } from '#components/generations/visit';
import type { RequestWire } from '#lib/contract/schemas';

/** One result of a press: the request, or the submission until there is one. */
export interface Place {
  key: string;
  request?: RequestWire;
  submission?: Submission;
}

/** One press of Create and its results, in fixed places. */
export interface Group {
  key: string;
  places: Place[];
}

interface Item {
  place: Place;
  at: number;
  /** Position in its press, if this tab sent it; otherwise the seed, because requests arrive in any order. */
  order: number;
}

const MOST = 4;
/** Requests of one press are created within this time, and two presses are further apart. */
const TOGETHER_MS = 500;

/**
 * Groups everything on the stage by press, newest first. The presses of this tab are known; other requests belong to
 * one press if they were created at about the same time and differ only in their seeds.
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
    // the key of a group is that of its oldest request, because newer ones may still arrive
    const oldest = items.at(-1)!.place;
    // the difference is taken in 32 bits, because consecutive seeds wrap around to 0
    const places = items.toReversed().toSorted((a, b) => (a.order - b.order) | 0);
    return { key: oldest.submission?.group ?? oldest.key, places: places.map(({ place }) => place) };
  });
}

/** Returns requests and submissions without a request, newest first; those that wait for an answer come first. */
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
